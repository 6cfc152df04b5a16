/** The wire formats that sdk/open-model.ts can speak. */
export type Wire = 'anthropic' | 'openai' | 'google' | 'openai-compatible';

/** A model API that is known by name. A new one is a file in providers/ and a line in its index.ts. */
export interface Provider {
  name: string;
  /** As people call it. */
  title: string;
  wire: Wire;
  baseUrl: string;
  /** Environment variables that hold a key, the usual one first. Empty where no key is needed. */
  keyVariables: readonly string[];
  /** Environment variables that hold another address. */
  addressVariables: readonly string[];
  /** Short names that files of other tools use (`sonnet`), by pattern of what they mean here. */
  aliases: Readonly<Record<string, string>>;
  /** Prefixes of model names that belong to this provider (`claude-`). */
  prefixes: readonly string[];
  /** The default model of the provider. */
  defaultModel: string | null;
  /** Prefixes of the models that cannot see images, if the others can. */
  textOnly?: readonly string[];
  /** Whether it runs on this machine and can be asked for its models, as Ollama can. */
  isLocal?: true;
}

/** Where a provider without a key comes from. */
export const NO_KEY = 'this machine';

/** A usable provider, from the environment or from `[providers.NAME]`. */
export interface ConfiguredProvider {
  name: string;
  title: string;
  wire: Wire;
  baseUrl: string;
  apiKey: string | null;
  headers: Readonly<Record<string, string>>;
  aliases: Readonly<Record<string, string>>;
  prefixes: readonly string[];
  defaultModel: string | null;
  /** Prices and windows that the config gives, by model. */
  models: Readonly<Record<string, ModelFacts>>;
  textOnly: readonly string[];
  isLocal: boolean;
  /** Where it was configured: a variable, a config file, or a local server. */
  from: string;
}

/** Facts about a model that need no request. Prices are in USD per million tokens. */
export interface ModelFacts {
  contextWindow?: number | undefined;
  inputPrice?: number | undefined;
  cachedPrice?: number | undefined;
  outputPrice?: number | undefined;
  images?: boolean | undefined;
}
