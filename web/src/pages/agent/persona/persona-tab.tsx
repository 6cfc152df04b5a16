export function PersonaTab() {
  return null;
}
