/** Seed 004's example as it is printed there. */
export const BOOK_FLIGHT = {
  name: 'book_flight',
  description: 'Books a flight ticket for a user.',
  parameters: {
    type: 'object',
    properties: {
      destination: {
        type: 'string',
        description: "The destination city and country (e.g., 'Paris, France').",
      },
      departure_date: {
        type: 'string',
        description: 'The desired date of departure, in YYYY-MM-DD format.',
      },
    },
    required: ['destination', 'departure_date'],
  },
  prompt: 'The user wants to book a flight to {destination} on {departure_date}, please book accordingly',
} as const;

export const TRIP = { destination: 'Paris, France', departure_date: '2026-12-01' };
export const FILLED =
  'The user wants to book a flight to Paris, France on 2026-12-01, please book accordingly';
