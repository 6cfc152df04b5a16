import type { Plan } from '../plan.ts';
import { floatingPlan, plumedPlan, wingedPlan } from './airborne.ts';
import { leggedPlan, shelledPlan, tallPlan } from './limbed.ts';
import { finnedPlan, longPlan, snailPlan } from './long.ts';
import { roundPlan, squatPlan } from './round.ts';

/** The body plans, by the word for each that a screen reader says. */
export const plans: Readonly<Record<string, Plan>> = {
  round: roundPlan,
  long: longPlan,
  winged: wingedPlan,
  shelled: shelledPlan,
  'many-legged': leggedPlan,
  plumed: plumedPlan,
  floating: floatingPlan,
  finned: finnedPlan,
  tall: tallPlan,
  squat: squatPlan,
  'spiral-shelled': snailPlan,
};
