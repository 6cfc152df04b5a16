import type { Implements } from '../../contract/api.ts';
import type { Activity } from '../../tools/activity/activity.ts';

export function implementActivity(activity: Activity): Implements<'activity'> {
  return { listActivity: async (filter) => ({ calls: await activity.list(filter) }) };
}
