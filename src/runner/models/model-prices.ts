import type { calcPrice as calcPriceFunction, PriceCalculationResult } from '@pydantic/genai-prices';
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
  const known = listed(calcPrice, providerId, baseUrl, model);
  const calculate = (usage: Tokens) => {
    const counted = {
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      cache_read_tokens: usage.cachedTokens,
      cache_write_tokens: usage.cacheWriteTokens,
    };
    return known && calcPrice(counted, model, { provider: known.provider });
  };
  const own = ownPrice(said);
  const images = textOnly.some((begin) => model.startsWith(begin)) ? false : undefined;
  return {
    facts: {
      ...said,
      contextWindow: said.contextWindow ?? known?.model.context_window,
      images: said.images ?? images,
    },
    price: (usage) => own?.(usage) ?? calculate(usage)?.total_price ?? null,
  };
}

type CalcPrice = typeof calcPriceFunction;

const KEPT_MODELS = 200;
const found = new Map<string, PriceCalculationResult>();

/** The entry of a model, as the only one of its provider: finding it takes longer than a calculation. */
function listed(
  calcPrice: CalcPrice,
  providerId: string,
  baseUrl: string,
  model: string,
): PriceCalculationResult {
  const key = JSON.stringify([providerId, baseUrl, model]);
  const before = found.get(key);
  if (before !== undefined) return before;
  const one = { input_tokens: 1 };
  const result = calcPrice(one, model, { providerId }) ?? calcPrice(one, model, { providerApiUrl: baseUrl });
  const entry = result && { ...result, provider: { ...result.provider, models: [result.model] } };
  if (found.size >= KEPT_MODELS) found.clear();
  found.set(key, entry);
  return entry;
}

function ownPrice({ inputPrice, cachedPrice, outputPrice }: ModelFacts): ((usage: Tokens) => number) | null {
  if (inputPrice === undefined || outputPrice === undefined) return null;
  return ({ inputTokens, cachedTokens, outputTokens }) =>
    ((inputTokens - cachedTokens) * inputPrice +
      cachedTokens * (cachedPrice ?? inputPrice) +
      outputTokens * outputPrice) /
    1_000_000;
}
