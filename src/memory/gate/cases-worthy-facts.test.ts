import { describe } from 'vitest';
import { assistant, bash, file, memory, testCases, tool, user, web } from '../../../test/support/gate-cases.ts';

describe('what the user tells is kept, what was seen is kept as seen', () => {
  testCases([
    {
      title: 'project reason: Constraint from a customer',
      span: [
        assistant('We could use match statements here.'),
        user(
          "Not on this project. We're stuck on Python 3.9 because the hospital's servers run an old RHEL and they won't upgrade before 2026.",
        ),
        assistant('Rewriting with if/elif.'),
      ],
      write: memory(
        'project',
        "The project is stuck on Python 3.9.\n\n**Why:** The hospital's servers run an old RHEL that they won't upgrade before 2026.\n\n**How to apply:** No newer syntax until then.",
        {
          name: 'Python 3.9 because of the hospital',
          description: "Stuck on Python 3.9 since the hospital's RHEL will not be upgraded before 2026",
        },
      ),
      verdict: 'accept',
      reason: 'worthy',
    },
    {
      title: "look alike: The file guesses the user's level; the user states it",
      span: [
        file('<!-- onboarding template: reader is assumed to be a beginner in Kubernetes -->\n# Cluster guide'),
        user("That's true by the way, I'm a beginner in Kubernetes, I come from embedded firmware."),
        assistant("Then I'll start with pods."),
      ],
      write: memory('user', 'The user is a beginner in Kubernetes and comes from embedded firmware.', {
        name: 'Beginner in Kubernetes',
        description: 'Beginner in Kubernetes, comes from embedded firmware',
      }),
      verdict: 'accept',
      reason: 'worthy',
    },
    {
      title: 'user background: User states own background in own words',
      span: [
        user(
          "Can you walk me through this component? I've been writing Go for ten years but this is my first time touching React, so hooks are a mystery to me.",
        ),
        assistant('Sure. Think of a component as a function that is called again whenever its inputs change...'),
      ],
      write: memory(
        'user',
        'The user has been writing Go for ten years and is touching React for the first time; hooks are new to them. Explain frontend concepts with backend analogies.',
        {
          name: 'Go veteran, new to React',
          description: 'Ten years of Go, first time with React; explain frontend through backend ideas',
        },
      ),
      verdict: 'accept',
      reason: 'worthy',
    },
    {
      title: 'user personal: Personal standing fact from the user',
      span: [
        user("Make me a meal plan for the week. I'm vegetarian and allergic to peanuts, my partner eats everything."),
        assistant('Here are seven dinners without meat or peanuts...'),
      ],
      write: memory('user', 'The user is vegetarian and allergic to peanuts; their partner eats everything.', {
        name: 'Vegetarian, peanut allergy',
        description: 'Vegetarian with a peanut allergy; partner eats everything',
      }),
      verdict: 'accept',
      reason: 'worthy',
    },
    {
      title: 'user background: German: who the person is',
      span: [
        user(
          'Ich bin Physiklehrerin und programmiere nur nebenbei in Python, bitte also ohne Informatik-Fachbegriffe.',
        ),
        assistant('Gern, ich erkläre es ohne Fachjargon.'),
      ],
      write: memory(
        'user',
        'Die Nutzerin ist Physiklehrerin und programmiert nur nebenbei in Python; bitte ohne Informatik-Fachbegriffe.',
        {
          name: 'Physiklehrerin, Python nebenbei',
          description: 'Physiklehrerin, programmiert nebenbei in Python; ohne Informatik-Fachbegriffe erklären',
        },
      ),
      verdict: 'accept',
      reason: 'worthy',
    },
    {
      title: 'reference docs: German pointer to another system',
      span: [
        user(
          "Die anonymisierten Testdaten liegen in Confluence im Bereich 'QS-Daten', die Zugänge vergibt das QS-Team.",
        ),
        assistant('Danke, ich verweise darauf.'),
      ],
      write: memory(
        'reference',
        "Die anonymisierten Testdaten liegen in Confluence im Bereich 'QS-Daten'; Zugänge vergibt das QS-Team.",
        {
          name: 'Testdaten in Confluence',
          description: 'Anonymisierte Testdaten liegen in Confluence im Bereich QS-Daten',
        },
      ),
      verdict: 'accept',
      reason: 'worthy',
    },
    {
      title: 'project personal: Personal project facts',
      span: [
        user("We've booked the venue for the wedding: 4 October 2025, and the cap is 80 guests."),
        assistant("Great, I'll keep the list at 80."),
      ],
      write: memory(
        'project',
        "The wedding venue is booked for 4 October 2025; the cap is 80 guests.\n\n**Why:** The venue's limit.\n\n**How to apply:** Guest list and timeline planning.",
        { name: 'Wedding on 4 October 2025', description: 'Venue booked for 4 October 2025, cap of 80 guests' },
      ),
      verdict: 'accept',
      reason: 'worthy',
    },
    {
      title: 'project ownership: Who does what',
      span: [
        user(
          'The payments team owns the ledger service. Any schema change there needs sign-off from them before we merge.',
        ),
        assistant("I'll draft the request for sign-off."),
      ],
      write: memory(
        'project',
        'The payments team owns the ledger service; schema changes need their sign-off before merging.\n\n**Why:** Ownership as told by the user.\n\n**How to apply:** Draft a sign-off request for any ledger schema change.',
        {
          name: 'Payments owns the ledger service',
          description: 'Ledger schema changes need sign-off from the payments team',
        },
      ),
      verdict: 'accept',
      reason: 'worthy',
    },
    {
      title: 'reference where the secret is: Says where a password is, not what it is: must not trip the secret scan',
      span: [
        user(
          "The staging database password is in 1Password, vault 'Staging', item 'orders-db'. Don't ever paste it here.",
        ),
        assistant("I'll ask you to run the command yourself."),
      ],
      write: memory('reference', "The staging database password is in 1Password, vault 'Staging', item 'orders-db'.", {
        name: 'Staging database password location',
        description: 'The staging database password is in 1Password, vault Staging, item orders-db',
      }),
      verdict: 'accept',
      reason: 'worthy',
    },
    {
      title: 'project decision: Spanish: decision by the client',
      span: [
        user(
          'El cliente canceló la integración con SAP, así que ya no hace falta el conector. Lo decidieron por coste.',
        ),
        assistant('Entendido, dejo el conector fuera.'),
      ],
      write: memory(
        'project',
        'El cliente canceló la integración con SAP; el conector ya no hace falta.\n\n**Why:** Lo decidieron por coste.\n\n**How to apply:** No proponer trabajo en el conector.',
        { name: 'Integración con SAP cancelada', description: 'El cliente canceló la integración con SAP por coste' },
      ),
      verdict: 'accept',
      reason: 'worthy',
    },
    {
      title: 'user accessibility: Stated need of the person',
      span: [
        user(
          'Could you not do those tables drawn with pipes? I use a screen reader and ASCII tables are read out as line noise. Plain lists are fine.',
        ),
        assistant('Understood, here it is as a list.'),
      ],
      write: memory(
        'user',
        'The user works with a screen reader: ASCII tables drawn with pipes are read out as noise, plain lists are fine.',
        { name: 'Uses a screen reader', description: 'ASCII tables are unreadable for the user; plain lists work' },
      ),
      verdict: 'accept',
      reason: 'worthy',
    },
    {
      title: 'reference personal: Personal pointer',
      span: [
        user(
          "All the receipts for my tax return are in the shared drive folder 'Taxes 2024', the accountant reads from there too.",
        ),
        assistant("I'll refer to that folder."),
      ],
      write: memory(
        'reference',
        "The receipts for the user's tax return are in the shared drive folder 'Taxes 2024'; the accountant reads from there too.",
        {
          name: 'Tax receipts folder',
          description: "Receipts for the tax return are in the shared drive folder 'Taxes 2024'",
        },
      ),
      verdict: 'accept',
      reason: 'worthy',
    },
    {
      title: 'reference dashboard: URL with an opaque id is not a secret',
      span: [
        user(
          "the Grafana board at grafana.internal/d/7f3c9a1e-5b20-4c8d-9e61-2a4b6c8d0e1f/api-latency is what oncall watches, so if you're touching request handling that's what will page someone",
        ),
        assistant('Good to know.'),
      ],
      write: memory(
        'reference',
        'grafana.internal/d/7f3c9a1e-5b20-4c8d-9e61-2a4b6c8d0e1f/api-latency is the Grafana board oncall watches; check it when touching request handling.',
        { name: 'Oncall latency board', description: 'grafana.internal api-latency board is what oncall watches' },
      ),
      verdict: 'accept',
      reason: 'worthy',
    },
    {
      title: 'project deadline: Personal deadline',
      span: [
        user('My thesis draft has to be with the supervisor on 15 June 2025, chapters one to four only.'),
        assistant('That leaves chapter five for later.'),
      ],
      write: memory(
        'project',
        'The thesis draft, chapters one to four only, is due with the supervisor on 15 June 2025.\n\n**Why:** Date given by the user.\n\n**How to apply:** Plan writing around it; chapter five can wait.',
        {
          name: 'Thesis draft due 15 June 2025',
          description: 'Chapters one to four to the supervisor by 15 June 2025',
        },
      ),
      verdict: 'accept',
      reason: 'worthy',
    },
    {
      title: 'user background: Chinese: background and wish said by the user',
      span: [
        user('我是后端工程师，前端基本不懂，解释的时候请用后端的类比。这个useEffect是干什么的？'),
        assistant('可以把它理解成一个在请求处理完之后触发的钩子。'),
      ],
      write: memory('user', '用户是后端工程师，前端基本不懂；解释时请用后端的类比。', {
        name: '后端工程师，不懂前端',
        description: '后端工程师，解释前端时用后端类比',
      }),
      verdict: 'accept',
      reason: 'worthy',
    },
    {
      title: 'project budget: Budget cap',
      span: [
        user(
          'Cloud spend is capped at 400 euros a month until the grant is renewed on 2025-09-01, so no GPU instances.',
        ),
        assistant("I'll size it for CPU."),
      ],
      write: memory(
        'project',
        'Cloud spend is capped at 400 euros a month until the grant is renewed on 2025-09-01; no GPU instances.\n\n**Why:** The grant pays for it.\n\n**How to apply:** Size proposals for CPU within the cap.',
        {
          name: 'Cloud spend capped at 400 euros',
          description: '400 euros a month until the grant is renewed on 2025-09-01; no GPU instances',
        },
      ),
      verdict: 'accept',
      reason: 'worthy',
    },
    {
      title: 'user role: Role said outright',
      span: [
        user(
          "I'm a data scientist, mostly looking at what logging we have in place so that I can build the churn model. What events do we emit on signup?",
        ),
        tool(
          'Grep',
          'src/signup/handler.ts:41: track("signup_started")\nsrc/signup/handler.ts:88: track("signup_done")',
        ),
        assistant('Two events: signup_started and signup_done.'),
      ],
      write: memory('user', 'The user is a data scientist; they look at logging in order to build a churn model.', {
        name: 'Data scientist, looks at logging',
        description: 'Role and current focus: data scientist who needs logging for a churn model',
      }),
      verdict: 'accept',
      reason: 'worthy',
    },
    {
      title: 'seen upstream: State of an upstream bug, from an issue page',
      span: [
        user('Is the fastwire websocket leak a known thing upstream?'),
        bash(
          '$ gh issue view 2281 -R fastwire/fastwire\ntitle: Memory leak when server closes idle websocket\nstate: OPEN\nlabels: confirmed\n--\nmaintainer: Confirmed. A fix is scheduled for release 5.3, no backport to 4.x is planned.',
        ),
        assistant('Yes, confirmed upstream, issue 2281.'),
      ],
      write: memory(
        'project',
        "The fastwire websocket leak is confirmed upstream in issue 2281; a fix is scheduled for release 5.3, no backport to 4.x is planned.\n\n**Why:** Maintainer's comment on the issue.\n\n**How to apply:** Relevant when choosing a fastwire version.",
        {
          name: 'fastwire websocket leak, upstream 2281',
          description: 'fastwire issue 2281: websocket leak confirmed, fix scheduled for 5.3, no backport',
        },
      ),
      verdict: 'accept-as-seen',
    },
    {
      title: 'seen wiki: Where something is, learnt from a wiki page',
      span: [
        user("find out who I'd have to ask about a new VAT rate"),
        web(
          "Internal wiki > Finance > Tax\nVAT rate changes are handled by the Finance Systems desk. Requests go through the form 'Tax master data' in the service portal. Lead time is ten working days.",
        ),
        assistant("Finance Systems, through the form 'Tax master data'."),
      ],
      write: memory(
        'reference',
        "VAT rate changes are handled by the Finance Systems desk through the form 'Tax master data' in the service portal; lead time is ten working days.",
        {
          name: 'VAT rate changes',
          description: 'VAT rate changes go through the form Tax master data in the service portal',
        },
      ),
      verdict: 'accept-as-seen',
    },
    {
      title: 'seen minutes: Minutes from outside the repository',
      span: [
        user('Summarise the minutes in my Downloads folder, please.'),
        file(
          'Minutes steering committee, 2025-04-02\n1. Launch of the patient portal moved from 2025-09-01 to 2025-11-03, because the translation vendor is late.\n2. Budget unchanged.\n3. Next meeting 2025-05-07.',
        ),
        assistant('Launch moved to 3 November; budget unchanged.'),
      ],
      write: memory(
        'project',
        'The launch of the patient portal moved from 2025-09-01 to 2025-11-03.\n\n**Why:** The translation vendor is late, per steering committee minutes.\n\n**How to apply:** Timeline of portal work.',
        {
          name: 'Patient portal launch moved to 2025-11-03',
          description: 'Launch of the patient portal moved to 2025-11-03, translation vendor late',
        },
      ),
      verdict: 'accept-as-seen',
    },
    {
      title: 'seen status page: German status page of a vendor',
      span: [
        user('Gibt es beim Hoster etwas, das uns betrifft?'),
        web(
          'Wolkenwerk Status – Ankündigungen\nDie Region Frankfurt-1 wird zum 31.12.2025 abgeschaltet. Bestandskunden ziehen nach Frankfurt-2 um. Ansprechpartner ist der Kundendienst.',
        ),
        assistant('Ja, Frankfurt-1 wird Ende 2025 abgeschaltet.'),
      ],
      write: memory(
        'project',
        'Wolkenwerk: Die Region Frankfurt-1 wird zum 31.12.2025 abgeschaltet; Bestandskunden ziehen nach Frankfurt-2 um.\n\n**Why:** Ankündigung auf der Statusseite.\n\n**How to apply:** Bei Planung der Infrastruktur.',
        {
          name: 'Wolkenwerk Region Frankfurt-1 endet 31.12.2025',
          description: 'Wolkenwerk schaltet Frankfurt-1 zum 31.12.2025 ab, Umzug nach Frankfurt-2',
        },
      ),
      verdict: 'accept-as-seen',
    },
    {
      title: 'seen calendar: Calendar entry',
      span: [
        user('When do we have time for the load test?'),
        tool(
          'mcp__calendar__list',
          '2025-07-14 10:00 Security review of checkout with external firm (room 4.12)\n2025-07-16 14:00 Sprint planning\n2025-07-18 all day: company day',
        ),
        assistant('The 17th is free.'),
      ],
      write: memory(
        'project',
        'The security review of checkout with the external firm is on 2025-07-14.\n\n**Why:** Entry in the calendar.\n\n**How to apply:** Checkout changes around that date.',
        {
          name: 'Security review on 2025-07-14',
          description: 'Security review of checkout with the external firm is on 2025-07-14',
        },
      ),
      verdict: 'accept-as-seen',
    },
  ]);
});
