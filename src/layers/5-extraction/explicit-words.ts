/** Word lists that the explicit cues are read with. */

function anyOf(text: string): string {
  return text.trim().split(/\s+/).join('|');
}

/** How people and agents work. Verbs of what a program does (return, throw, render) describe a task, and are not here. */
export const WORK_VERBS = anyOf(`
  use run ask commit push write add include format name test check confirm explain show give answer reply respond keep make
  create put prefer follow start begin end wait read review update sign rebase squash merge deploy document install prefix
  suffix tag label link cite quote list split group sort order indent wrap align comment describe summari[sz]e propose
  suggest recommend mention say tell call address speak talk translate spell capitali[sz]e choose pick prefer avoid stop skip
  leave remove delete drop rename move copy edit change touch modify refactor rewrite generate build compile lint typecheck
  verify validate benchmark measure profile mock stub fake hard-?code inline extract assume guess invent pin bump upgrade
  downgrade publish release ship roll revert amend force stash branch fork clone fetch pull open close file assign mark track
  store save back document plan think consider think point warn flag notify remind ping email mail message post
  do be go take bring apply provide prioriti[sz]e limit restrict stick double-?check cross-?check look search grep
  execute invoke import export define declare annotate enforce expose ignore silence disable enable commit-?sign reuse
  abbreviate shorten simplify
`);

/** What a person may call themselves without joking or complaining. */
export const ROLES = anyOf(`
  engineer developer dev programmer coder designer scientist analyst manager architect student researcher professor teacher
  lecturer founder co-?founder cto ceo cfo vp lead consultant freelancer contractor intern admin administrator sysadmin dba
  sre devops writer author editor maintainer owner beginner newbie novice expert veteran physicist mathematician
  statistician biologist chemist economist accountant lawyer doctor nurse journalist librarian tester qa pm po marketer
  hobbyist generalist specialist director head operator technician translator trainer phd postdoc
`);

export const GERMAN_ROLES = anyOf(`
  [\\p{L}-]*entwickler(?:in)? [\\p{L}-]*ingenieur(?:in)? [\\p{L}-]*informatiker(?:in)? [\\p{L}-]*architekt(?:in)? [\\p{L}-]*designer(?:in)?
  [\\p{L}-]*leiter(?:in)? student(?:in)? [\\p{L}-]*wissenschaftler(?:in)? [\\p{L}-]*forscher(?:in)? lehrer(?:in)? anfänger(?:in)?
  [\\p{L}-]*berater(?:in)? [\\p{L}-]*analyst(?:in)? administrator(?:in)? [\\p{L}-]*physiker(?:in)? gründer(?:in)? praktikant(?:in)?
  programmierer(?:in)? tester(?:in)? [\\p{L}-]*manager(?:in)? product-?owner(?:in)?
`);

export const CHINESE_ROLES =
  '工程师|程序员|开发者?|设计师|产品经理|经理|架构师|学生|研究员|老师|教授|科学家|分析师|负责人|新手|初学者|实习生|运维|测试|创始人|顾问|博士|医生|律师';

/** Places in other systems; what is said to be there is a reference. */
export const PLACES = anyOf(`
  linear jira notion confluence grafana datadog sentry figma slack teams discord drive sharepoint dropbox 1password vault github gitlab
  bitbucket trello asana miro airtable zendesk pagerduty opsgenie s3 wiki dashboard dashboards board boards tracker channel runbook
  runbooks bucket intranet kibana splunk looker metabase
`);

/** Words before a cue that say nothing about it. */
export const FILLERS = String.raw`(?:(?:ok|okay|alright|right|great|nice|perfect|cool|good|lovely|awesome|thanks|thank you|thx|hey|hi|hello|so|also|and|but|oh|no(?=[,.!:–—-])|nope|yes|yeah|yep|well|hmm|ah|btw|by the way|fyi|ps|p\.s\.|please|pls|just|then|actually|again|really|seriously|honestly|finally|plus|lastly|one more thing|one thing|another thing|one last thing|quick note|two things|(?:reminder|note|rules?|important|preferences?|feedback|correction|convention|policy|request|change of plans?)(?=\s*[:,–—-])|as i said|like i said|as mentioned|i (?:already )?told you(?: (?:before|twice|already))?|i've told you(?: (?:before|twice|already))?|in general|generally|as a rule|as a general rule|personally|in this (?:project|repo|repository|codebase)|for this (?:project|repo|repository|codebase)|on this (?:project|repo)|(?:in|for|across) all (?:of )?(?:my |our )?(?:projects|repos|repositories)|everywhere|hey claude|claude|bitte|gut|danke|super|nein|ja|und|aber|ach|übrigens|allgemein|überall|请|好的|好|另外|还有|对了|嗯|不对|不是|谢谢|麻烦你?|顺便说一下)(?:[\s,.!:：，、–—-]+|(?=[\u4e00-\u9fff])))*`;

/** Ways to ask the agent for something, between the fillers and the cue. */
export const REQUESTS = String.raw`(?:(?:you should|you must|you need to|you have to|you can|i want you to|i'd like you to|i would like you to|i need you to|i expect you to|make sure(?: that)?(?: you| to)?|be sure to|let's|we should|we must|(?:can|could|would|will) you(?: please)?|du solltest|du sollst|du musst|ich möchte, dass du|你要|你应该|你需要|希望你|我希望你|帮我)\s*(?:please\s+|also\s+|just\s+|bitte\s+)*)?`;
