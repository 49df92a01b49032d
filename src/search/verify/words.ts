/** Word lists that tell a file path or a code identifier from lookalikes. */

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

/** Extensions that files have and that domains, products and abbreviations do not, or hardly. */
export const FILE_ENDINGS = words(`
  ts tsx mts cts js jsx mjs cjs json jsonc json5 jsonl md mdx txt rst adoc yml yaml toml ini cfg conf env properties
  py pyi ipynb rb erb go mod sum rs java kt kts gradle groovy scala clj ex exs erl hs ml swift m mm c h cc cpp hpp cxx cs
  fs vb php pl pm lua r jl dart zig nim sh bash zsh fish ps1 bat cmd sql prisma graphql gql proto thrift tf tfvars hcl
  css scss sass less html htm vue svelte astro hbs ejs pug xml xsl svg png jpg jpeg gif webp ico csv tsv parquet
  lock log pem crt key pub service dockerfile mk cmake bazel bzl nix snap patch diff zip gz tar wasm map plist po xlsx pdf
`);

/** Of those, the ones that mean a file even without a folder or backticks: `Node.js` and `bun.sh` are not files. */
export const UNMISTAKABLE_ENDINGS = words(
  'ts tsx mts cts jsx mjs cjs json jsonc jsonl md mdx yml yaml toml py ipynb rb java kt cpp hpp sql prisma proto css scss html vue svelte csv',
);

/** Libraries named like a script. */
export const LIBRARIES_WITH_ENDINGS = words(`
  node.js next.js vue.js nuxt.js express.js three.js d3.js chart.js moment.js react.js socket.io ember.js backbone.js
  alpine.js solid.js nest.js discord.js p5.js electron.js deno.js bun.js angular.js knockout.js handlebars.js
`);

/** File names without an extension. */
export const NAMED_FILES = words(`
  Dockerfile Makefile Justfile Procfile Gemfile Rakefile Jenkinsfile Brewfile Vagrantfile Tiltfile Caddyfile LICENSE
  CODEOWNERS .env .gitignore .gitattributes .npmrc .nvmrc .editorconfig .dockerignore .prettierrc .eslintrc .babelrc
  .tool-versions .node-version .python-version
`);

/** Folders at the top of projects: `src/recall` is a path, `feature/recall` a branch, `text/html` neither. */
export const PROJECT_FOLDERS = words(`
  src lib libs app apps pkg packages crates cmd internal test tests __tests__ spec specs e2e docs doc scripts script tools
  bin bench benchmarks examples config configs migrations infra deploy .github .vscode .claude .reverie server client
  backend frontend components services modules plugins
`);

/** Created by a build or an installation: absent until then, which says nothing about the memory. */
export const DERIVED_FOLDERS = words(
  'node_modules dist build out target coverage .next .nuxt .turbo .cache .venv venv __pycache__ tmp .git',
);

/** Tops of absolute paths; `/api/users` is a route. */
export const SYSTEM_FOLDERS = words(
  'home Users etc usr var opt srv mnt media root tmp private Applications Library Volumes proc sys dev run nix',
);

export const ROUTE_FOLDERS = words('api static assets public img images js css auth graphql webhooks v1 v2 v3');

/** Words in backticks that are commands, values, branches or tool names far more often than project identifiers. */
export const COMMON_CODE_WORDS = words(`
  true false null none nil undefined void string number boolean integer float array object async await const static
  return import export default function class interface type enum public private yield throw catch finally while
  main master develop staging production prod test tests debug release latest stable next beta alpha head origin upstream
  docker podman kubectl helm terraform ansible make cmake cargo rustc rustup python python3 pytest pip poetry conda ruff
  black mypy node deno yarn pnpm vite vitest jest mocha eslint prettier biome webpack rollup esbuild typescript javascript
  react angular svelte express fastify django flask rails spring laravel bash fish grep curl wget ssh sudo brew snap
  chmod chown mkdir touch echo cat tail head sed awk find kill cron systemctl nginx redis postgres postgresql mysql sqlite
  mongodb kafka rabbitmq grafana prometheus sentry slack jira linear notion github gitlab bitbucket terraform
  init install start stop restart build deploy commit push pull fetch merge rebase squash checkout clone stash
  info warn error fatal trace verbose quiet strict loose feat chore docs refactor perf style revert
  json yaml toml markdown html utf8 utf-8 base64 sha256 http https localhost gzip
  user feedback project reference memory name description said seen inferred imported
  todo fixme note warning danger required optional enabled disabled
`);

/** Names of naming styles. */
export const NOTATIONS = words(
  'camelCase PascalCase pascalCase snake_case SNAKE_CASE UPPER_SNAKE_CASE SCREAMING_SNAKE_CASE',
);

/** `x` branch, `x` channel: the word next to the backticks says that it is not an identifier. */
export const OTHER_THINGS = words(`
  branch tag label channel command cluster namespace bucket queue topic ticket account environment env server host repo
  repository package dependency library column table database schema index workspace team group region profile vault
  flag option key keyword word value status state header role user run workflow job pipeline tool service port
`);
