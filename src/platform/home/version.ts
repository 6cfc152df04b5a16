declare const __ZOO_VERSION__: string;

/** Replaced by the build. */
export const VERSION = __ZOO_VERSION__;
