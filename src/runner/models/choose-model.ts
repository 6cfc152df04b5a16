import { ZooError } from '../../contract/errors.ts';
import { nearest } from '../../contract/nearest.ts';
import { type ConfiguredProvider, NO_KEY } from './provider.ts';
import { providers as shipped } from './providers/index.ts';

export interface ModelChoice {
  provider: ConfiguredProvider;
  model: string;
}

export interface ChosenModels {
  /** The first is used; the others follow if it fails. Never empty. */
  choices: readonly [ModelChoice, ...ModelChoice[]];
  warnings: readonly string[];
}

export interface ModelWishes {
  /** From the call; wins. */
  call?: readonly string[] | undefined;
  /** From the agent's definition. */
  agent?: readonly string[] | undefined;
  /** `[runner] model`. */
  config?: readonly string[] | undefined;
}

/** Names in files of other tools that mean "whatever you use". */
const ANY_MODEL = new Set(['inherit', 'default', 'auto']);

/** Which models a run may use, in order. Throws `no_provider` where there is none. */
export function chooseModels(
  { call, agent, config }: ModelWishes,
  providers: readonly ConfiguredProvider[],
): ChosenModels {
  if (providers.length === 0) throw noProvider();
  const [named, ...others] = (call ?? []).map((name) => requireModel(name, providers));
  // A model that the caller named explicitly is never replaced by another one.
  if (named) return { choices: [named, ...others], warnings: [] };
  const warnings: string[] = [];
  const choices: ModelChoice[] = [];
  for (const name of agent ?? []) {
    const found = findModel(name, providers);
    if (found) choices.push(found);
    else if (!ANY_MODEL.has(name))
      warnings.push(
        `No configured provider has the agent's model '${name}'; \`zoo providers\` shows what is missing.`,
      );
  }
  const [first, ...rest] = choices;
  if (first) return { choices: [first, ...rest], warnings };
  const skipped: string[] = [];
  const [instead, ...fallbacks] = configuredModels(config, providers, skipped);
  const name = `${instead.provider.name}/${instead.model}`;
  if (warnings.length > 0) warnings.push(`Using ${name} instead.`);
  else if (instead.provider.from === NO_KEY && !config?.[0])
    warnings.push(`No model is configured: using ${name}, which runs on this machine.`);
  return { choices: [instead, ...fallbacks], warnings: [...skipped, ...warnings] };
}

/** `[runner] model` with its fallbacks, or the default of the first provider that has one. */
function configuredModels(
  config: readonly string[] = [],
  providers: readonly ConfiguredProvider[],
  warnings: string[],
): [ModelChoice, ...ModelChoice[]] {
  const [wanted] = config;
  if (wanted === undefined) return [defaultModel(providers)];
  const [first, ...others] = config.flatMap((name) => findModel(name, providers) ?? []);
  if (!first) return [requireModel(wanted, providers)];
  for (const name of config) {
    if (!findModel(name, providers))
      warnings.push(
        `No configured provider has '${name}' of [runner] model; \`zoo providers\` shows what is missing.`,
      );
  }
  return [first, ...others];
}

function defaultModel(providers: readonly ConfiguredProvider[]): ModelChoice {
  const provider = providers.find(({ defaultModel: model }) => model !== null);
  if (provider?.defaultModel) return { provider, model: provider.defaultModel };
  // Ollama needs no key, so it is listed whether it runs or not.
  const [set] = providers.filter(({ from }) => from !== NO_KEY);
  if (!set) throw noProvider();
  throw new ZooError(
    'no_provider',
    `No model is chosen. Set [runner] model = "${set.name}/MODEL" in zoo.toml, or pass --model.`,
  );
}

function requireModel(name: string, providers: readonly ConfiguredProvider[]): ModelChoice {
  const found = findModel(name, providers);
  if (found) return found;
  const known = providers.map((provider) => provider.name);
  const [wanted = ''] = name.split('/');
  const close = nearest(wanted, known);
  const advice = [
    adviceForKey(name, known),
    close && close !== wanted ? `Did you mean '${close}/…'?` : '',
    /^[^/]+\/./.test(name) ? '' : 'Write it as PROVIDER/MODEL.',
  ];
  throw new ZooError(
    'no_provider',
    [
      `No configured provider has the model '${name}'. Configured: ${known.join(', ')}.`,
      ...advice.filter((each) => each !== ''),
    ].join(' '),
  );
}

/** For a model of a provider that only lacks its key. */
function adviceForKey(name: string, configured: readonly string[]): string {
  const provider = shipped.find(
    (each) =>
      !configured.includes(each.name) &&
      (name.startsWith(`${each.name}/`) || each.prefixes.some((prefix) => name.startsWith(prefix))),
  );
  const [variable] = provider?.keyVariables ?? [];
  return provider && variable ? `${provider.title} needs a key: \`zoo secret set ${variable}\`.` : '';
}

/** `provider/model`, an alias, or a model name that begins like those of a provider. */
function findModel(name: string, providers: readonly ConfiguredProvider[]): ModelChoice | null {
  const slash = name.indexOf('/');
  const named = slash > 0 && providers.find((provider) => provider.name === name.slice(0, slash));
  if (named) return name.length > slash + 1 ? { provider: named, model: name.slice(slash + 1) } : null;
  for (const provider of providers) {
    const alias = Object.hasOwn(provider.aliases, name) ? provider.aliases[name] : undefined;
    if (alias) return { provider, model: alias };
    if (provider.prefixes.some((prefix) => name.startsWith(prefix))) return { provider, model: name };
    // Ollama adds a tag to names that have none.
    const model = [name, `${name}:latest`].find((each) => Object.hasOwn(provider.models, each));
    if (model) return { provider, model };
  }
  return null;
}

function noProvider(): ZooError {
  return new ZooError(
    'no_provider',
    'No model provider is configured. Store a key with `zoo secret set ANTHROPIC_API_KEY` (or OPENAI_API_KEY, GEMINI_API_KEY, OPENROUTER_API_KEY), ' +
      'or add [providers.NAME] with base_url to zoo.toml. A local Ollama needs no key and is found once it has a model (`ollama pull qwen3`).',
  );
}
