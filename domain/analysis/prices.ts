/** The cost of calls to analysis providers, by the prices that an operator has configured. Pure. */

/** In units of the currency. A missing price means that there is no charge. */
export interface ModelPrice {
  /** Per million tokens of requests and of answers. */
  input?: number;
  output?: number;
  /** Per minute of sound. */
  audio_minute?: number;
  image?: number;
  /** Per call; 0 means that the model is free. */
  call?: number;
}

export interface Prices {
  /** ISO 4217. */
  currency: string;
  /** By the name of the model, or by capability and model: `summary/gpt-4o-mini`. */
  models: Readonly<Record<string, ModelPrice>>;
}

/** The calls of one model for one capability: sums of the reported values, and how many calls reported them. */
export interface Calls {
  calls: number;
  inputTokens: Measured;
  outputTokens: Measured;
  audioSeconds: Measured;
  images: Measured;
}

export interface Measured {
  /** Null when no call reported it. */
  sum: number | null;
  calls: number;
}

export interface Cost {
  /** Null when none of the calls has a price. */
  cost: number | null;
  /**
   * Number of calls whose cost is missing or incomplete: without a price, or without a reported value that is charged
   * for.
   */
  unpricedCalls: number;
}

/** The more specific name takes precedence over the plain one. */
export function priceOf({ models }: Prices, capability: string, model: string): ModelPrice | null {
  return models[`${capability}/${model}`] ?? models[model] ?? null;
}

export function costOf(price: ModelPrice | null, used: Calls): Cost {
  const parts: [price: number | undefined, used: Measured, unit: number][] = [
    [price?.input, used.inputTokens, 1_000_000],
    [price?.output, used.outputTokens, 1_000_000],
    [price?.audio_minute, used.audioSeconds, 60],
    [price?.image, used.images, 1],
    [price?.call, { sum: used.calls, calls: used.calls }, 1],
  ];
  const charged = parts.filter(([each]) => each !== undefined);
  const known = charged.filter(([, { sum }]) => sum !== null);
  if (known.length === 0) return { cost: null, unpricedCalls: used.calls };
  const cost = known.reduce((total, [each = 0, { sum }, unit]) => total + (each * (sum ?? 0)) / unit, 0);
  return { cost, unpricedCalls: used.calls - Math.min(...charged.map(([, { calls }]) => calls)) };
}

/** Returns the sum of costs; null when none of them is known. */
export function addCosts(costs: readonly Cost[]): Cost {
  const known = costs.flatMap(({ cost }) => (cost === null ? [] : [cost]));
  return {
    cost: known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0),
    unpricedCalls: costs.reduce((sum, { unpricedCalls }) => sum + unpricedCalls, 0),
  };
}
