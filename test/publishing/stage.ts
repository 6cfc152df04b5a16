import { BOOK_FLIGHT } from './book-flight.ts';
import type { Step } from '../fake-model/script.ts';
import { hubWithModel, type HubWithModel } from '../fake-model/hub-with-model.ts';
import type { StartOptions } from '../start-hub.ts';

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

export type Stage = HubWithModel;

export const stage = (
  steps: readonly Step[],
  config = TRIPS_TOML,
  options: StartOptions = {},
): Promise<Stage> => hubWithModel(steps, config, options, { maxRequests: 10_000 });
