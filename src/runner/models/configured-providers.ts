import type { ProviderConfig } from '../../contract/config.ts';
import { type ConfiguredProvider, type ModelFacts, NO_KEY, type Provider } from './provider.ts';
import { providers as known } from './providers/index.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** One line of `zoo providers`: usable, or what is missing. */
export interface ProviderStatus {
  name: string;
  title: string;
  provider: ConfiguredProvider | null;
  /** How to make it usable; null if it already is. */
  missing: string | null;
}

export interface ProviderOrigins {
  /** Names of providers that a workspace has configured. */
  ofWorkspace?: readonly string[];
  /** Why an entry of the config cannot be used, by name. */
  unusable?: Readonly<Record<string, string>>;
}

/**
 * Providers from the config and from the usual environment variables. `[providers.NAME]` of a known name changes that
 * one; any other name is an OpenAI-compatible endpoint unless it names a `kind`. Keys in the environment are not sent to
 * addresses that a workspace chose: those in `ofWorkspace` need an `api_key` of their own, which its approval shows.
 */
export function listProviders(
  configured: Readonly<Record<string, ProviderConfig>>,
  env: Environment,
  { ofWorkspace = [], unusable = {} }: ProviderOrigins = {},
): ProviderStatus[] {
  const ofConfig = Object.entries(configured).map(([name, config]): ProviderStatus => {
    const missing = Object.hasOwn(unusable, name) ? unusable[name] : undefined;
    if (missing !== undefined) return { name, title: name, provider: null, missing };
    const isElsewhere = config.base_url !== undefined && ofWorkspace.includes(name);
    return fromConfig(name, config, isElsewhere ? {} : env);
  });
  const others = known.filter(({ name }) => !Object.hasOwn(configured, name));
  return [...ofConfig, ...others.map((provider) => fromEnvironment(provider, env))];
}

/** The usual environment variables for API keys. */
export const keyVariables: readonly string[] = known.flatMap((provider) => provider.keyVariables);

/** API keys in the usual environment variables. */
export function keysInEnvironment(env: Environment): string[] {
  return known.flatMap(({ keyVariables }) => keyVariables.flatMap((name) => env[name] || []));
}

function fromEnvironment(provider: Provider, env: Environment): ProviderStatus {
  const { name, title, keyVariables } = provider;
  const variable = keyVariables.find((each) => env[each]);
  const base = { name, title };
  if (keyVariables.length > 0 && !variable) {
    return {
      ...base,
      provider: null,
      missing: `zoo secret set ${keyVariables[0]}`,
    };
  }
  const apiKey = variable ? (env[variable] ?? null) : null;
  const from = variable ?? NO_KEY;
  return {
    ...base,
    provider: usable(provider, { apiKey, from, baseUrl: addressOf(provider, env) }),
    missing: null,
  };
}

function fromConfig(name: string, config: ProviderConfig, env: Environment): ProviderStatus {
  const kind = known.find((provider) => provider.name === (config.kind ?? name));
  const title = kind && kind.name === name ? kind.title : name;
  const base = { name, title };
  const baseUrl = config.base_url ?? (kind ? addressOf(kind, env) : undefined);
  if (!baseUrl) return { ...base, provider: null, missing: `set [providers.${name}] base_url` };
  if (!isHttpUrl(baseUrl)) {
    const missing = `[providers.${name}] base_url is not an http(s) address: ${baseUrl}`;
    return { ...base, provider: null, missing };
  }
  const variable = kind?.keyVariables.find((each) => env[each]);
  const apiKey = config.api_key ?? (variable ? (env[variable] ?? null) : null);
  if (!apiKey && kind && kind.keyVariables.length > 0 && !config.base_url) {
    return {
      ...base,
      provider: null,
      missing: `set [providers.${name}] api_key, or ${kind.keyVariables[0]}`,
    };
  }
  const shape: Provider = kind ?? compatible(name);
  const provider = usable(
    { ...shape, name, title },
    { apiKey, baseUrl, from: 'config', headers: config.headers, models: config.models },
  );
  return { ...base, provider, missing: null };
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text);
}

function compatible(name: string): Provider {
  return {
    name,
    title: name,
    wire: 'openai-compatible',
    baseUrl: '',
    keyVariables: [],
    addressVariables: [],
    aliases: {},
    prefixes: [],
    defaultModel: null,
  };
}

interface Given {
  apiKey: string | null;
  baseUrl: string;
  from: string;
  headers?: Readonly<Record<string, string>> | undefined;
  models?: ProviderConfig['models'];
}

function usable(
  provider: Provider,
  { apiKey, baseUrl, from, headers = {}, models = {} }: Given,
): ConfiguredProvider {
  const { name, title, wire, aliases, prefixes, textOnly = [], isLocal = false } = provider;
  const facts = Object.entries(models).map(([model, said]): [string, ModelFacts] => [
    model,
    {
      contextWindow: said.context_window,
      inputPrice: said.input_price,
      cachedPrice: said.cached_price,
      outputPrice: said.output_price,
      images: said.images,
    },
  ]);
  return {
    name,
    title,
    wire,
    baseUrl: baseUrl.replace(/\/+$/, ''),
    apiKey,
    headers,
    aliases,
    prefixes,
    defaultModel: provider.defaultModel ?? facts[0]?.[0] ?? null,
    models: Object.fromEntries(facts),
    textOnly,
    isLocal,
    from,
  };
}

/** `OLLAMA_HOST` may lack a scheme, and none of the address variables has to name the version. */
function addressOf(provider: Provider, env: Environment): string {
  const given = provider.addressVariables.map((name) => env[name]).find(Boolean);
  if (!given) return provider.baseUrl;
  const address = /^https?:\/\//.test(given) ? given : `http://${given}`;
  const version = new URL(provider.baseUrl).pathname.replace(/^.*\//, '/');
  return /\/v\d/.test(new URL(address).pathname) ? address : `${address.replace(/\/+$/, '')}${version}`;
}
