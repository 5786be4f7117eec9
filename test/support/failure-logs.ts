interface Logging {
  readonly logged: (level: string) => readonly object[];
}

/** For the suite that calls this: a spec that fails shows the last warnings and errors that its server has logged. */
export function withLogsOfFailures<S extends Logging>(service: S, most = 20): S {
  afterEach(function () {
    if (this.currentTest?.state !== 'failed') return;
    const lines = ['warn', 'error'].flatMap((level) => service.logged(level).slice(-most));
    for (const line of lines) console.error(`'${this.currentTest.title}' failed; its server has logged: ${JSON.stringify(line)}`);
  });
  return service;
}
