/** Surfaces of the project on a stage, through the cabinet. */
import { beforeAll } from '@jest/globals';
import { clientOf, createTestToken, type Answer, type Client } from '../../api/support/testApi.ts';
import type { OutputStage } from './outputStage.ts';

export interface SurfaceStage {
  /** A client of an admin. */
  cabinet: Client;
  putSurface(name: string, body: object): Promise<Answer>;
  /** Returns the cabinet's path of something in the project. */
  of(path: string): string;
}

/** Registers the hooks; call it after {@link stageOutput}. */
export function stageSurfaces(stage: OutputStage): SurfaceStage {
  const surfaces = {} as SurfaceStage;
  beforeAll(async () => {
    surfaces.cabinet = clientOf(stage.api.cabinet, await createTestToken(stage.database.pool));
  });
  surfaces.of = (path) => `/projects/${stage.project.id}${path}`;
  surfaces.putSurface = (name, body) => surfaces.cabinet('PUT', surfaces.of(`/surfaces/${name}`), body);
  return surfaces;
}

const HOUR_MS = 3_600_000;
const at = (hours: number): string => new Date(Date.now() + hours * HOUR_MS).toISOString();

/** Returns an experiment from an hour ago to an hour from now; each variant has the given share and settings. */
export function experimentOf(
  variants: readonly (readonly [name: string, share: number, settings?: object])[],
  { id = 'e1', from = at(-1), until = at(1) }: { id?: string; from?: string; until?: string | null } = {},
): object {
  return { id, from, until, variants: variants.map(([name, share, settings = {}]) => ({ name, share, settings })) };
}

export { at };
