import type { ServedSurfaces } from '../../../hub/serving/served-surfaces.ts';
import type { Environment } from '../../../platform/home/paths.ts';

/** The other surfaces. They do not know one another: `main.ts` hands them to the command line. */
export interface OtherSurfaces extends ServedSurfaces {
  /** `zoo mcp`: takes over this process, and ends it when its client is gone. */
  runBridge(options: { env: Environment; folder: string; agent?: string | undefined }): Promise<never>;
}
