/** The entry point of a program for `job`: receives one message, does the work, answers and exits. */
export function answerJob<Input, Output>(work: (input: Input) => Promise<Output>): void {
  process.once('message', (input: Input) => {
    work(input).then(
      (result) => process.send?.({ result }, () => process.exit(0)),
      (error: Error) => process.send?.({ error: error.stack }, () => process.exit(1)),
    );
  });
}
