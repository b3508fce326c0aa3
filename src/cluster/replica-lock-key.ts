/** The key of the advisory lock of replicas: any number that no other program takes for its own. */
export const REPLICAS_LOCK = 7_310_942_119
