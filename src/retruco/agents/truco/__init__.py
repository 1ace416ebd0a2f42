"""The Truco players: scripted ones, and the policies of those that remember.

`odds` counts points and prices and `card_chances` cards; `estimates` is what a seat works out by them; `player` knows the
order of a turn and what no scripted player gets wrong, and `styles` has their pages. `policies` and `bots` decide by cases,
with the safeguards of `sound_play` where their names say so. `human_choice` draws as people choose; `reader` reads its
opponent with `opponent_model`, by the replies that `opponent_turns` finds in a hand, and `bluffs` says how likely a call
is one, also by the calls of `bluff_cases`; `levels` is the ladder of opponents; `judgement` says what a decision lost.
"""
