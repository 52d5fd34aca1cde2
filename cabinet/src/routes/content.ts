/** Routes of a project's pages. The address also stores the state of a page. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { eventFilterOf } from '../data/project/eventFilter.ts';
import { itemListSearchOf } from '../data/items/itemFilter.ts';
import { webhookSearchOf } from '../data/webhooks/journalFilter.ts';
import { labSearchOf } from '../data/output/lab.ts';
import { outputSearchOf } from '../data/output/outputSearch.ts';
import { personSearchOf } from '../data/project/personSearch.ts';
import { shell, type Search } from './shell.ts';
import { isUuid } from '../data/uuid.ts';

const items = createRoute({
  getParentRoute: () => shell,
  path: '/p/$project/items',
  validateSearch: itemListSearchOf,
  component: lazyRouteComponent(() => import('../pages/content/items/ItemsPage.tsx'), 'ItemsPage'),
});

const project = createRoute({
  getParentRoute: () => shell,
  path: '/p/$project',
  component: lazyRouteComponent(() => import('../pages/content/project/ProjectPage.tsx'), 'ProjectPage'),
});

const item = createRoute({
  getParentRoute: () => shell,
  path: '/p/$project/items/$item',
  validateSearch: ({ medium }: Search): { medium?: number | undefined } => ({
    medium: typeof medium === 'number' && Number.isInteger(medium) && medium > 0 ? medium : undefined,
  }),
  component: lazyRouteComponent(() => import('../pages/content/item/ItemPage.tsx'), 'ItemPage'),
});

const addItem = createRoute({
  getParentRoute: () => shell,
  path: '/p/$project/add-item',
  component: lazyRouteComponent(() => import('../pages/content/itemForm/AddItemPage.tsx'), 'AddItemPage'),
});

const editItem = createRoute({
  getParentRoute: () => shell,
  path: '/p/$project/items/$item/edit',
  component: lazyRouteComponent(() => import('../pages/content/itemForm/EditItemPage.tsx'), 'EditItemPage'),
});

const pipeline = createRoute({
  getParentRoute: () => shell,
  path: '/p/$project/pipeline',
  component: lazyRouteComponent(() => import('../pages/content/pipeline/PipelinePage.tsx'), 'PipelinePage'),
});

const imports = createRoute({
  getParentRoute: () => shell,
  path: '/p/$project/imports',
  validateSearch: ({ file }: Search): { file?: string | undefined } => ({
    file: typeof file === 'string' && isUuid(file) ? file : undefined,
  }),
  component: lazyRouteComponent(() => import('../pages/content/imports/ImportsPage.tsx'), 'ImportsPage'),
});

const webhooks = createRoute({
  getParentRoute: () => shell,
  path: '/p/$project/webhooks',
  component: lazyRouteComponent(() => import('../pages/content/webhooks/WebhooksPage.tsx'), 'WebhooksPage'),
});

const webhook = createRoute({
  getParentRoute: () => shell,
  path: '/p/$project/webhooks/$webhook',
  validateSearch: webhookSearchOf,
  component: lazyRouteComponent(() => import('../pages/content/webhook/WebhookPage.tsx'), 'WebhookPage'),
});

const delivery = createRoute({
  getParentRoute: () => shell,
  path: '/p/$project/webhooks/$webhook/deliveries/$delivery',
  component: lazyRouteComponent(() => import('../pages/content/webhookDelivery/DeliveryPage.tsx'), 'DeliveryPage'),
});

const signature = createRoute({
  getParentRoute: () => shell,
  path: '/p/$project/webhooks/$webhook/signature',
  component: lazyRouteComponent(() => import('../pages/content/signature/SignaturePage.tsx'), 'SignaturePage'),
});

const projectSettings = createRoute({
  getParentRoute: () => shell,
  path: '/p/$project/settings',
  validateSearch: ({ month }: Search): { month?: string | undefined } => ({
    month: typeof month === 'string' && /^[1-9]\d{3}-(0[1-9]|1[0-2])$/.test(month) ? month : undefined,
  }),
  component: lazyRouteComponent(() => import('../pages/content/settings/SettingsPage.tsx'), 'SettingsPage'),
});

const events = createRoute({
  getParentRoute: () => shell,
  path: '/p/$project/events',
  validateSearch: eventFilterOf,
  component: lazyRouteComponent(() => import('../pages/content/events/EventsPage.tsx'), 'EventsPage'),
});

const people = createRoute({
  getParentRoute: () => shell,
  path: '/p/$project/users',
  component: lazyRouteComponent(() => import('../pages/content/people/PeoplePage.tsx'), 'PeoplePage'),
});

const person = createRoute({
  getParentRoute: () => shell,
  path: '/p/$project/users/$user',
  validateSearch: personSearchOf,
  component: lazyRouteComponent(() => import('../pages/content/person/PersonPage.tsx'), 'PersonPage'),
});

const lab = createRoute({
  getParentRoute: () => shell,
  path: '/p/$project/lab',
  validateSearch: labSearchOf,
  component: lazyRouteComponent(() => import('../pages/content/lab/LabPage.tsx'), 'LabPage'),
});

const output = createRoute({
  getParentRoute: () => shell,
  path: '/p/$project/output',
  validateSearch: outputSearchOf,
  component: lazyRouteComponent(() => import('../pages/content/output/OutputPage.tsx'), 'OutputPage'),
});

const surface = createRoute({
  getParentRoute: () => shell,
  path: '/p/$project/output/$surface',
  component: lazyRouteComponent(() => import('../pages/content/surface/SurfacePage.tsx'), 'SurfacePage'),
});

export const contentRoutes = [
  project,
  items,
  item,
  addItem,
  editItem,
  pipeline,
  imports,
  webhooks,
  webhook,
  delivery,
  signature,
  projectSettings,
  events,
  people,
  person,
  lab,
  output,
  surface,
] as const;
