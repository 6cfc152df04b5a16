/** "$0.0021", "$1.20"; "no price known" where it is not. */
export function formatUsd(usd: number | null): string {
  if (usd === null) return 'price unknown';
  if (usd === 0) return '$0';
  const digits = usd < 0.01 ? 5 : usd < 1 ? 3 : 2;
  return usd.toLocaleString(undefined, {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}
