import type { Implementation } from '../../contract/api.ts';
import type { activityOperations } from '../../contract/operations/activity.ts';
import type { Activity } from '../../tools/activity/activity.ts';

type ActivityOperations = Pick<Implementation, keyof typeof activityOperations>;

export function implementActivity(activity: Activity): ActivityOperations {
  return { listActivity: async (filter) => ({ calls: await activity.list(filter) }) };
}
