"""The scripted Truco players: five pages of rules over one shared judgement.

`odds` counts cards, `sense` reads the table from one seat, `player` knows the order of a turn and
what nobody at this table gets wrong; `novice`, `cautious`, `balanced`, `aggressive` and `bluffer`
are the styles, a page each.
"""
