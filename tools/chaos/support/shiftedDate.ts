/**
 * Preload (`node --import`) that shifts the wall clock of a process by CHAOS_CLOCK_OFFSET_MS and leaves its monotonic
 * clocks right, as on a machine whose time was set wrong. It shifts what JavaScript sees; see clock.ts for more.
 */
const offsetMs = Number(process.env['CHAOS_CLOCK_OFFSET_MS'] ?? 0);
const RealDate = Date;

class ShiftedDate extends RealDate {
  constructor(...args: unknown[]) {
    // A call with arguments states its time itself; only the form without arguments reads the clock.
    super(...((args.length === 0 ? [ShiftedDate.now()] : args) as [number]));
  }

  static override now(): number {
    return RealDate.now() + offsetMs;
  }
}

// `Date()` without `new` returns a string; libraries rarely call it, but it must not throw.
globalThis.Date = new Proxy(ShiftedDate, { apply: () => new ShiftedDate().toString() }) as unknown as DateConstructor;
