// A few short tones, made here; off until somebody turns them on.
let context;

function tone(frequency, start, length, volume = 0.08, type = "triangle") {
  const from = context.currentTime + start;
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  oscillator.type = type;
  oscillator.frequency.value = frequency;
  gain.gain.setValueAtTime(volume, from);
  gain.gain.exponentialRampToValueAtTime(0.0001, from + length);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(from);
  oscillator.stop(from + length);
}

const TUNES = {
  card: () => tone(180, 0, 0.08, 0.12, "square"),
  call: () => { tone(440, 0, 0.12); tone(660, 0.1, 0.16); },
  points: () => { tone(523, 0, 0.1); tone(659, 0.09, 0.1); tone(784, 0.18, 0.2); },
  won: () => [523, 659, 784, 1047].forEach((one, place) => tone(one, place * 0.12, 0.25)),
  lost: () => [392, 330, 262].forEach((one, place) => tone(one, place * 0.16, 0.3)),
};

export function play(name, on) {
  if (!on || !TUNES[name]) return;
  context ??= new AudioContext();
  TUNES[name]();
}
