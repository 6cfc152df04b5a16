// The package's own types declare an ES module, but it is CommonJS.
declare module 'robots-parser' {
  function robotsParser(
    url: string,
    text: string,
  ): { isAllowed(url: string, userAgent: string): boolean | undefined };
  export = robotsParser;
}
