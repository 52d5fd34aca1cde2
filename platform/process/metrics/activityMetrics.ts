/** Metrics of every activity that a worker runs: its wait, its duration and its outcome. */
import type { Context } from '@temporalio/activity';
import type { ActivityInterceptors, ActivityInterceptorsFactory } from '@temporalio/worker';
import { Histogram, type Registry } from 'prom-client';

const SECONDS = [0.005, 0.02, 0.05, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000];

interface ActivityHistograms {
  waited: Histogram<'activity'>;
  took: Histogram<'activity' | 'outcome'>;
}

/** A worker that is restarted continues with the histograms of the first. */
const histograms = new WeakMap<Registry, ActivityHistograms>();

function histogramsOf(registry: Registry): ActivityHistograms {
  const known = histograms.get(registry);
  if (known) return known;
  const registers = [registry];
  const made = {
    waited: new Histogram({
      name: 'attune_activity_wait_seconds',
      help: 'Time between an activity being scheduled and started.',
      labelNames: ['activity'] as const,
      buckets: SECONDS,
      registers,
    }),
    took: new Histogram({
      name: 'attune_activity_duration_seconds',
      help: 'Time an activity took.',
      labelNames: ['activity', 'outcome'] as const,
      buckets: SECONDS,
      registers,
    }),
  };
  histograms.set(registry, made);
  return made;
}

/** Registers the histograms and returns the interceptor that fills them. */
export function activityMetrics(registry: Registry): ActivityInterceptorsFactory {
  const { waited, took } = histogramsOf(registry);
  return (context: Context): ActivityInterceptors => ({
    inbound: {
      async execute(input, next) {
        const { activityType, currentAttemptScheduledTimestampMs } = context.info;
        waited.observe({ activity: activityType }, Math.max(0, Date.now() - currentAttemptScheduledTimestampMs) / 1000);
        const end = took.startTimer({ activity: activityType });
        try {
          const result: unknown = await next(input);
          end({ outcome: 'completed' });
          return result;
        } catch (error) {
          end({ outcome: context.cancellationSignal.aborted ? 'cancelled' : 'failed' });
          throw error;
        }
      },
    },
  });
}
