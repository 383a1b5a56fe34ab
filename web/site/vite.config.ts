// SPDX-License-Identifier: MIT
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig, type Plugin } from 'vite';

// Cross-origin isolation, which threads need. The site also works without these headers.
const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

// No 'unsafe-inline' and no 'unsafe-eval': the page sets styles through the CSSOM only.
const policy = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Built pages only: the dev server injects its styles inline. */
function contentSecurityPolicy(): Plugin {
  return {
    name: 'content-security-policy',
    apply: 'build',
    transformIndexHtml: () => [
      {
        tag: 'meta',
        attrs: { 'http-equiv': 'Content-Security-Policy', content: policy },
        injectTo: 'head-prepend',
      },
    ],
  };
}

export default defineConfig({
  // Relative, so that the built folder works under any path.
  base: './',
  plugins: [svelte(), contentSecurityPolicy()],
  // Pre-bundling would move the package's glue away from its .wasm and its worker.
  optimizeDeps: { exclude: ['heed'] },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    outDir: 'dist',
    // Inlined assets become data: URLs, which the policy refuses for anything but images.
    assetsInlineLimit: 0,
    // The polyfill is an inline script and every supported browser has modulepreload.
    modulePreload: { polyfill: false },
  },
  server: { host: '127.0.0.1', headers: isolation },
  preview: { host: '127.0.0.1', headers: isolation },
});
