/** The hues a category can have; styles/tokens.css has their colours. */
export const HUES = [
  'clay',
  'ochre',
  'olive',
  'leaf',
  'sea',
  'sky',
  'iris',
  'plum',
  'rose',
  'stone',
] as const;

export type Hue = (typeof HUES)[number];
