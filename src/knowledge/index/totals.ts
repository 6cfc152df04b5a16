/** Of the whole collection. */
export interface Totals {
  chunks: number;
  averageLength: number;
}
