import { messageOf } from '../../platform/text/error-message.ts';
import { ModelFailure } from './model.ts';
import { listModels } from './list-models.ts';
import { openModel } from './sdk/open-model.ts';
import type { ConfiguredProvider } from './provider.ts';

const TIMEOUT_MS = 15_000;

/** The smallest possible request: one word to the default model or the first on the provider's list, and 16 tokens of answer, the least that all accept. */
export async function checkProvider(
  provider: ConfiguredProvider,
  signal: AbortSignal,
): Promise<{ ok: boolean; message: string }> {
  const { models, problem } =
    provider.defaultModel === null
      ? await listModels(provider, signal)
      : { models: [provider.defaultModel], problem: null };
  if (problem !== null) return { ok: false, message: problem };
  const [model] = models;
  if (model === undefined) {
    const { name, baseUrl } = provider;
    return {
      ok: false,
      message: `no model to try: ${baseUrl}/models lists none, and [providers.${name}.models] names none`,
    };
  }
  const limit = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const open = await openModel(provider, model, {});
    await open.answer(
      {
        system: '',
        messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
        tools: [],
        maxOutputTokens: 16,
        signal: AbortSignal.any([signal, limit]),
      },
      () => undefined,
    );
    return { ok: true, message: `${model} answered` };
  } catch (error) {
    if (limit.aborted) return { ok: false, message: `no answer within ${TIMEOUT_MS / 1000} s` };
    if (error instanceof ModelFailure) return { ok: false, message: error.message };
    return { ok: false, message: messageOf(error) };
  }
}
