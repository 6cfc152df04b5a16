import type { Usage } from '../../contract/run.ts';
import type { ConfiguredProvider, ModelFacts } from './provider.ts';

type Tokens = Omit<Usage, 'usd'>;

/** Price and context window of a model, from the config or from public data. */
export interface PricedModel {
  facts: ModelFacts;
  /** In USD; null where no price is known. */
  price(usage: Tokens): number | null;
}

/** The data set is large, so it is loaded when the first model is opened. */
export async function loadModelPrice(
  {
    name: providerId,
    baseUrl,
    models,
    textOnly,
  }: Pick<ConfiguredProvider, 'name' | 'baseUrl' | 'models' | 'textOnly'>,
  model: string,
): Promise<PricedModel> {
  const { calcPrice } = await import('@pydantic/genai-prices');
  const said = models[model] ?? {};
  const byUrl = { providerApiUrl: baseUrl };
  const calculate = (usage: Tokens) => {
    const counted = {
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      cache_read_tokens: usage.cachedTokens,
      cache_write_tokens: usage.cacheWriteTokens,
    };
    return calcPrice(counted, model, { providerId }) ?? calcPrice(counted, model, byUrl);
  };
  const known = calculate({ ...zero, inputTokens: 1 });
  const own = ownPrice(said);
  const images = textOnly.some((begin) => model.startsWith(begin)) ? false : undefined;
  return {
    facts: {
      ...said,
      contextWindow: said.contextWindow ?? known?.model.context_window,
      images: said.images ?? images,
    },
    price: (usage) => own?.(usage) ?? (known ? (calculate(usage)?.total_price ?? null) : null),
  };
}

const zero: Tokens = {
  inputTokens: 0,
  cachedTokens: 0,
  cacheWriteTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
};

function ownPrice({ inputPrice, cachedPrice, outputPrice }: ModelFacts): ((usage: Tokens) => number) | null {
  if (inputPrice === undefined || outputPrice === undefined) return null;
  return ({ inputTokens, cachedTokens, outputTokens }) =>
    ((inputTokens - cachedTokens) * inputPrice +
      cachedTokens * (cachedPrice ?? inputPrice) +
      outputTokens * outputPrice) /
    1_000_000;
}
