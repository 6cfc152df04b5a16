/** A file to begin with, and what the config has to say about it. */
export interface Scaffold {
  /** From the folder of the config. */
  path: string;
  text: string;
  /** Lines for the config; empty where none are needed. */
  config: string;
}
