/** Resolves once the condition holds. Anyone who runs the tests ends a file that waits for ever. */
export const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!await isSo()) await new Promise((resolve) => setTimeout(resolve, 20))
}
