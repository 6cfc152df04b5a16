declare const __ZOO_VERSION__: string;

/** Put in by the build. */
export const VERSION = __ZOO_VERSION__;
