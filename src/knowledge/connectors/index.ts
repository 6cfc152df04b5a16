import type { ConnectorType } from '../../contract/knowledge.ts';
import type { Connector } from '../connector.ts';
import { filesystem } from './filesystem.ts';
import { git } from './git.ts';

export const connectors: Readonly<Partial<Record<ConnectorType, Connector>>> = { filesystem, git };
