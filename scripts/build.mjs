// SPDX-License-Identifier: MIT
// npm run build: the WebAssembly module, then the package (web/lib/dist), then the site
// (web/site/dist).
import { buildModule, buildPackage, buildSite } from './lib/build.mjs';
import { setUp } from './lib/setup.mjs';

await setUp();
const show = true;
await buildModule({ show });
await buildPackage({ show });
await buildSite({ show });
