import type { Migration } from '../database.ts';
import { foundation } from './0001-foundation.ts';
import { once } from './0002-once.ts';
import { programs } from './0004-programs.ts';
import { upstreams } from './0005-upstreams.ts';
import { activity } from './0006-activity.ts';
import { ownership } from './0008-ownership.ts';
import { trustSnapshots } from './0009-trust-snapshots.ts';
import { runs } from './0010-runs.ts';
import { questions } from './0011-questions.ts';
import { acceptedTools } from './0012-accepted-tools.ts';
import { chats } from './0013-chats.ts';
import { publishedCalls } from './0020-published-calls.ts';
import { clientSightings } from './0021-client-sightings.ts';
import { revisionLabels } from './0022-revision-labels.ts';
import { revocations } from './0023-revocations.ts';
import { callerKeys } from './0030-caller-keys.ts';
import { pushConfigs } from './0031-push-configs.ts';
import { teamHistory, teams } from './0040-teams.ts';
import { chatVersions } from './0050-chat-versions.ts';
import { endReasons } from './0051-end-reasons.ts';
import { pushCredentials } from './0052-push-credentials.ts';
import { callClients } from './0060-call-clients.ts';
import { deletedBrainEntries } from './0061-deleted-brain-entries.ts';
import { chatApprovalsOf, chatLastTurn } from './0070-chat-columns.ts';

/** In the order in which they are applied. */
export const migrations: readonly Migration[] = [
  foundation,
  once,
  programs,
  upstreams,
  activity,
  ownership,
  trustSnapshots,
  runs,
  questions,
  acceptedTools,
  chats,
  publishedCalls,
  clientSightings,
  revisionLabels,
  revocations,
  callerKeys,
  pushConfigs,
  teams,
  teamHistory,
  chatVersions,
  endReasons,
  pushCredentials,
  callClients,
  deletedBrainEntries,
  chatApprovalsOf,
  chatLastTurn,
];
