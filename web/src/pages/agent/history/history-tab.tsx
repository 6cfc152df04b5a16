export function HistoryTab() {
  return null;
}
