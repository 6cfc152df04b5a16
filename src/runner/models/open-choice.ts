import type { RunModel } from '../loop/run-parts.ts';
import type { ModelChoice } from './choose-model.ts';
import type { LocalModels } from './local-models.ts';
import { loadModelPrice } from './model-prices.ts';
import { openModel } from './sdk/open-model.ts';

/** A model that was chosen, with its price and what is known of it. */
export async function openChoice(
  { provider, model }: ModelChoice,
  localModels: Pick<LocalModels, 'facts'>,
): Promise<RunModel> {
  const [{ facts, price }, local] = await Promise.all([
    loadModelPrice(provider, model),
    provider.isLocal ? localModels.facts(provider, model) : null,
  ]);
  const known = { ...facts, images: facts.images ?? local?.images };
  return { model: await openModel(provider, model, known), price };
}
