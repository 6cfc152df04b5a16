/**
 * How much of a long campaign is run: a short version in `npm test`, all of it in `npm run test:campaign`, which
 * runs every test file that imports this one.
 */
const whole = process.env['ZOO_CAMPAIGN'] === '1';

export const campaignSize = (short: number, long: number): number => (whole ? long : short);
