/**
 * Configures the build of the cabinet's web app (tools/scripts/cabinet/build.ts) and its development server (npm run
 * cabinet:dev).
 */
import { join } from 'node:path';
import optimizeLocales from '@react-aria/optimize-locales-plugin';
import { defineConfig } from 'vite';
import { LOCALES } from './src/words/load.ts';

/** The placeholder that api/pages/ replaces with a new nonce in every response. */
const NONCE = '__CABINET_NONCE__';
const API = 'http://127.0.0.1:8080';

/**
 * Chunks for what several pages use, so that a page loads a dozen scripts and not ninety. A group also takes what its
 * modules import, unless an earlier one has it. So each chunk imports only earlier ones, and no two import each other.
 */
const SHARED = [
  // The pages for signing in and accepting an invitation load nothing else.
  { name: 'base', test: /\/cabinet\/src\/(shell\/start|pages\/account\/(signIn|invitation)\/)/ },
  {
    name: 'app',
    test: /\/node_modules\/@tanstack\/|\/cabinet\/src\/(routes\/|shell\/[^/]+$|data\/(account\/|[^/]+$))/,
  },
  // The menus, which are loaded right after the shell, need half of this chunk, and the pages need the rest.
  { name: 'ui', test: /\/node_modules\/lucide-react\/|\/cabinet\/src\/(ui|charts|shell\/menus)\// },
  { name: 'analytics', test: /\/cabinet\/src\/(pages\/analytics|data\/(report|sites))\//, minShareCount: 2 },
  {
    name: 'content',
    test: /\/cabinet\/src\/((pages\/content|data\/(items|output|project|webhooks))\/|words\/[^/]+$)/,
    minShareCount: 2,
  },
];

export default defineConfig({
  root: import.meta.dirname,
  base: '/cabinet/',
  html: { cspNonce: NONCE },
  // The component library includes its texts in thirty languages.
  plugins: [optimizeLocales.vite({ locales: Object.values(LOCALES) })],
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    // Compressed, one file of all styles is half the size of many small ones.
    cssCodeSplit: false,
    rolldownOptions: {
      input: ['index.html', 'sign-in.html', 'invitation.html', 'replay.html'].map((page) =>
        join(import.meta.dirname, page),
      ),
      output: { codeSplitting: { groups: SHARED } },
    },
    target: ['chrome123', 'edge123', 'firefox120', 'safari17.5'], // the first versions with light-dark()
    // The policy of the pages allows no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: { port: 5173, strictPort: true, proxy: { '/cabinet/api': API, '/media': API } },
});
