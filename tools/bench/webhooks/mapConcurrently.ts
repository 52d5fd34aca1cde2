/** Maps over promises with limited concurrency; the results keep the order of the inputs. */
export async function mapConcurrently<I, O>(
  inputs: readonly I[],
  concurrency: number,
  work: (input: I) => Promise<O>,
): Promise<O[]> {
  const outputs: O[] = [];
  const queue = inputs.entries();
  const worker = async (): Promise<void> => {
    for (const [index, input] of queue) outputs[index] = await work(input);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return outputs;
}
