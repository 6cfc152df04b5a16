import type { ConnectorType } from '../../contract/knowledge.ts';
import type { Connector } from '../connector.ts';
import { filesystem } from './filesystem.ts';

export const connectors: Readonly<Partial<Record<ConnectorType, Connector>>> = { filesystem };
