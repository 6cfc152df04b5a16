/** A template file, and its config entry. */
export interface Scaffold {
  /** From the folder of the config. */
  path: string;
  text: string;
  /** Lines for the config; empty if none are needed. */
  config: string;
}
