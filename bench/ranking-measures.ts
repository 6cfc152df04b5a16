export interface Measures {
  ndcg10: number;
  recall100: number;
  mrr: number;
}

/** With binary gain: a document is relevant or not. */
export function measureRanking(ranking: readonly string[], relevant: ReadonlySet<string>): Measures {
  const gain = (at: number) => 1 / Math.log2(at + 2);
  const sum = (count: number, counts: (at: number) => boolean) =>
    Array.from({ length: count }, (_, at) => (counts(at) ? gain(at) : 0)).reduce((a, b) => a + b, 0);
  const ideal = sum(Math.min(10, relevant.size), () => true);
  const first = ranking.findIndex((id) => relevant.has(id));
  return {
    ndcg10: ideal === 0 ? 0 : sum(10, (at) => relevant.has(ranking[at] ?? '')) / ideal,
    recall100:
      relevant.size === 0 ? 0 : ranking.slice(0, 100).filter((id) => relevant.has(id)).length / relevant.size,
    mrr: first < 0 ? 0 : 1 / (first + 1),
  };
}

export function mean(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0) / Math.max(1, values.length);
}

/**
 * How often, when the queries are drawn again and again, the mean difference of `b` to `a` has not the sign that it
 * has here; twice that is the p-value. The draws are the same at each run.
 */
export function pairedBootstrap(a: readonly number[], b: readonly number[], draws = 10_000): number {
  const differences = a.map((value, at) => b[at]! - value);
  const observed = mean(differences);
  if (observed === 0) return 1;
  let state = 42;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  let crossed = 0;
  for (let draw = 0; draw < draws; draw++) {
    let sum = 0;
    for (let at = 0; at < differences.length; at++)
      sum += differences[Math.floor(random() * differences.length)]!;
    if (observed > 0 ? sum <= 0 : sum >= 0) crossed++;
  }
  return Math.min(1, (2 * crossed) / draws);
}
