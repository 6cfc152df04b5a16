import { BOOK_FLIGHT } from './book-flight.ts';
import type { Step } from '../fake-model/script.ts';
import { type FakeModel, startFakeModel } from '../fake-model/fake-model.ts';
import { type RunningHub, startHub, type StartOptions } from '../start-hub.ts';

export { BOOK_FLIGHT, FILLED, TRIP } from './book-flight.ts';

/** The same in TOML, of an agent that may search. */
export const TRIPS_TOML = `
[agents.trips]
name = "Trips"
description = "Books journeys."
version = "2.1.0"
mode = "tools"
system_prompt = "You book trips."
tools = ["sources"]

[[agents.trips.published_tools]]
name = "book_flight"
description = "Books a flight ticket for a user."
prompt = "${BOOK_FLIGHT.prompt}"

[agents.trips.published_tools.parameters]
type = "object"
required = ["destination", "departure_date"]

[agents.trips.published_tools.parameters.properties.destination]
type = "string"
description = "The destination city and country (e.g., 'Paris, France')."

[agents.trips.published_tools.parameters.properties.departure_date]
type = "string"
description = "The desired date of departure, in YYYY-MM-DD format."
`;

export interface Stage extends AsyncDisposable {
  model: FakeModel;
  hub: RunningHub;
}

/** A hub with a fake model behind its agents. */
export async function stage(
  steps: readonly Step[],
  config = TRIPS_TOML,
  options: StartOptions = {},
): Promise<Stage> {
  const model = await startFakeModel(steps, { maxRequests: 10_000 });
  const env = { ANTHROPIC_API_KEY: 'sk-secret-key-of-tests', ANTHROPIC_BASE_URL: model.url };
  const hub = await startHub({}, { own: { 'zoo.toml': config }, env, ...options });
  return {
    model,
    hub,
    async [Symbol.asyncDispose]() {
      await hub[Symbol.asyncDispose]();
      await model[Symbol.asyncDispose]();
    },
  };
}
