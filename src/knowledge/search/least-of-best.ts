const STEPS = 1024;

/** A threshold that `wanted` scores or a few more reach. Uses a histogram, which is faster than sorting. */
export function leastOfBest(scores: Float64Array, wanted: number): number {
  let low = Infinity;
  let high = -Infinity;
  for (const score of scores) {
    if (score < low) low = score;
    if (score > high) high = score;
  }
  if (scores.length <= wanted || low === high) return low;
  const scale = STEPS / (high - low);
  const counts = new Uint32Array(STEPS + 1);
  for (const score of scores) {
    const step = Math.floor((score - low) * scale);
    counts[step] = (counts[step] ?? 0) + 1;
  }
  let step = STEPS;
  for (let found = counts[step] ?? 0; found < wanted && step > 0; found += counts[step] ?? 0) step -= 1;
  // Rounding must not exclude a score of the last step.
  return step === 0 ? low : low + (step - 1e-6) / scale;
}
