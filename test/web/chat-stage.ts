import type { Locator, Page } from 'playwright-core';
import { type FakeModel, startFakeModel } from '../fake-model/fake-model.ts';
import type { Step } from '../fake-model/script.ts';
import { openZoo, type OpenZoo } from './open-zoo.ts';

export interface ChatStage extends AsyncDisposable {
  zoo: OpenZoo;
  page: Page;
  model: FakeModel;
  /** Starts a chat with an agent and opens it. */
  openChat(agent: string, body?: object): Promise<string>;
}

interface StageOptions {
  agents?: readonly object[];
  files?: Record<string, string>;
  width?: number;
}

const ada = { id: 'ada', name: 'Ada', systemPrompt: 'You are Ada.', tools: ['sources'] };

/** A real hub and browser, and a model on loopback that plays these steps. */
export async function openChatStage(steps: readonly Step[], options: StageOptions = {}): Promise<ChatStage> {
  const { agents = [ada], files, width } = options;
  const model = await startFakeModel(steps);
  const env = { ANTHROPIC_API_KEY: 'sk-secret-key-of-tests', ANTHROPIC_BASE_URL: model.url };
  const zoo = await openZoo({ env, ...(files ? { files } : {}), ...(width === undefined ? {} : { width }) });
  for (const agent of agents) await zoo.call('POST', '/api/agents', agent);
  return {
    zoo,
    page: zoo.page,
    model,
    async openChat(agent, body = {}) {
      const made = await zoo.call('POST', '/api/chats', { agent, ...body });
      const id = String(Reflect.get(Object(made), 'id'));
      await zoo.page.goto(`${zoo.url}/chat/${id}`);
      await message(zoo.page).waitFor();
      return id;
    },
    async [Symbol.asyncDispose]() {
      await zoo[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
    },
  };
}

export const message = (page: Page): Locator => page.getByRole('textbox', { name: 'Message', exact: true });

/** Sends a message once the last answer is complete: until then it would join the run under way. */
export async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
  await steer(page, text);
}

/** Sends a message, in mid-run too. */
export async function steer(page: Page, text: string): Promise<void> {
  await message(page).fill(text);
  await message(page).press('Enter');
}

/** One turn of the conversation, counted over all branches. */
export const turn = (page: Page, number: number): Locator =>
  page.getByRole('article', { name: `Turn ${number}`, exact: true });
