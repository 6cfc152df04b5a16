import type { ConnectorType } from '../../contract/knowledge.ts';
import type { Connector } from '../connector.ts';
import { filesystem } from './filesystem.ts';
import { git } from './git.ts';
import { script } from './script.ts';
import { web } from './web.ts';

export const connectors: Readonly<Record<ConnectorType, Connector>> = { filesystem, git, script, web };
