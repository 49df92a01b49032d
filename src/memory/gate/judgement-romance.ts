/** Words that judge people in French, Spanish, Italian and Portuguese. */

import type { JudgementWords } from './judgement-words.ts';

export const FRENCH_JUDGEMENTS: JudgementWords = {
  isNounFirst: true,
  people: `
    monsieur madame m. mme mlle patron//ne chef//fe cheffe manager collègue//s stagiaire//s apprenti//e
    développeu/r/rs/se/ses employé//s/e/es client//s/e/es propriétaire locataire voisin//s/e/es gardien//ne
    concierge professeur//e prof enseignant//e maître//sse direct/eur/rice proviseur//e médecin docteur//e dentiste
    avocat//e maire adjoint//e étudiant//e responsable associé//e mari femme frère sœur soeur mère père oncle tante
    cousin//e fils fille beau-/frère/père/fils belle-/sœur/soeur/mère/fille ex ami//e copin//e copain colocataire
    plombier artisan équipe gens entraîneu/r/se curé secrétaire conseill/er/ère vendeu/r/se comptable trésori/er/ère
    président//e`,
  user: `
    utilisat/eur/rice je j'`,
  be: `
    est sont était étaient suis soit reste`,
  between: `
    un//e des le la si très trop vraiment complètement totalement tellement plutôt assez toujours aussi tout toute
    simplement franchement carrément absolument bien gros grosse vrai vraie sale pauvre`,
  not: `
    pas jamais aucun//e guère`,
  tail: `
    de du des d' à au chez dans avec pour qui que en`,
  traits: `
    idiot//s/e/es imbécile//s crétin//s/e/es abruti//s/e/es menteu/r/rs/se/ses tricheu/r/rs/se/ses
    escroc//s voleu/r/rs/se/ses radin//s/e/es avare//s pingre//s fainéant//s/e/es feignant//s/e/es
    glandeu/r/rs/se/ses lâche//s hypocrite//s connard//s connasse//s salaud//s salope//s
    profiteu/r/rs/se/ses incompétent//s/e/es arrogant//s/e/es prétentieu/x/se/ses malhonnête//s
    manipulat/eur/eurs/rice/rices égoïste//s malpoli//s/e/es impoli//s/e/es méchant//s/e/es sournois//s/e/es
    colérique//s vaniteu/x/se/ses`,
  loose: `
    têtu//s/e/es borné//s/e/es négligent//s/e/es ignorant//s/e/es cupide//s paresseu/x/se/ses`,
  faults: `
    nul//s/le/les stupide//s bête//s incapable//s inutile//s horrible//s terrible//s insupportable//s ridicule//s
    lamentable//s pénible//s catastrophe folle fou débile//s parasite//s`,
  skills: `
    mauvais//e/es lent//s/e/es faible//s`,
};

export const SPANISH_JUDGEMENTS: JudgementWords = {
  isNounFirst: true,
  people: `
    señor señora don doña jef/e/es/a/as becari/o/os/a/as compañer/o/os/a/as colega//s desarrollador//a/es
    emplead/o/os/a/as cliente//s clienta caser/o/a inquilin/o/a vecin/o/os/a/as porter/o/a conserje profesor//a/es
    maestr/o/a director//a médic/o/a doctor//a dentista abogad/o/a alcalde//sa concejal//a estudiante alumn/o/a
    encargad/o/a gerente soci/o/a marido mujer esposa esposo herman/o/a madre padre tí/o/a prim/o/a hij/o/a
    cuñad/o/a suegr/o/a yerno nuera ex amig/o/a novi/o/a fontaner/o/a equipo gente entrenador//a cura secretari/o/a
    asesor//a vendedor//a contable president/e/a él ella tip/o/a hombre`,
  user: `
    usuari/o/a yo`,
  be: `
    es son era eran fue está están soy sea`,
  between: `
    un//a unos unas el la los las muy tan demasiado realmente completamente totalmente bastante siempre también
    simplemente verdader/o/a auténtic/o/a gran pobre más medio`,
  not: `
    no nunca jamás`,
  tail: `
    de del en con para que quien a`,
  traits: `
    idiota//s imbécil//es cretin/o/os/a/as mentiros/o/os/a/as estafador//a/es ladr/ón/ona/ones
    trampos/o/a tacañ/o/os/a/as avar/o/os/a/as rácan/o/os/a/as holgaz/án/ana/anes gandul//a/es
    cobarde//s hipócrita//s cabr/ón/ona/ones gilipollas sinvergüenza//s caradura aprovechad/o/os/a/as 
    incompetente//s inept/o/os/a/as arrogante//s prepotente//s soberbi/o/os/a/as deshonest/o/os/a/as
    manipulador//a/es egoísta//s maleducad/o/os/a/as groser/o/os/a/as malvad/o/os/a/as envidios/o/os/a/as
    engreíd/o/os/a/as`,
  loose: `
    vag/o/os/a/as terc/o/os/a/as torpe//s codicios/o/os/a/as descuidad/o/os/a/as ignorante//s perezos/o/os/a/as`,
  faults: `
    estúpid/o/os/a/as incapa/z/ces pésim/o/os/a/as horrible//s terrible//s insoportable//s ridícul/o/os/a/as
    desastre basura loc/o/os/a/as tont/o/os/a/as inútil//es parásito//s`,
  skills: `
    mal/o/os/a/as lent/o/os/a/as débil//es floj//s/o/os`,
};

export const ITALIAN_JUDGEMENTS: JudgementWords = {
  isNounFirst: true,
  people: `
    signor//e/a capo cap/a/i collega colleghi stagist/a/e/i tirocinante sviluppat/ore/rice dipendente client/e/i
    proprietari/o/a inquilin/o/a vicin/o/a portier/e/a portinaia custode professore//ssa maestr/o/a insegnante
    dirett/ore/rice preside medico dottore//ssa dentista avvocat/o/a sindac/o/a assessore studente//ssa responsabile
    soci/o/a marito moglie fratello sorella madre padre zi/o/a cugin/o/a figli/o/a cognat/o/a suocer/o/a genero
    nuora ex amic/o/a fidanzat/o/a coinquilin/o/a idraulico squadra gente allenat/ore/rice parroco segretari/o/a
    consulente vendit/ore/rice commercialista presidente`,
  user: `
    utente io`,
  be: `
    è sono era erano sia resta sembra`,
  between: `
    un un' una uno dei delle il la molto così troppo davvero veramente completamente totalmente piuttosto sempre
    anche proprio semplicemente vero vera gran grande povero`,
  not: `
    non mai nessun//o/a`,
  tail: `
    di del della dell' dello dei delle degli da in con per che a`,
  traits: `
    idiot/a/i/e imbecill/e/i cretin/o/a/i/e bugiard/o/a/i/e imbroglion/e/a/i truffat/ore/rice/ori
    ladr/o/a/i tirchi//o/a/e avar/o/a/i/e taccagn/o/a fannullon/e/a/i scansafatiche pigrone
    codard/o/a/i vigliacc/o/a/h/i/oo/oa/oh/oi/ao/aa/ah/ai/ho/ha/hh/hi/io/ia/ih/ii ipocrit/a/i/e stronz/o/a/i/e
    bastard/o/a/i/e incompetent/e/i inett/o/a/i/e arrogant/e/i presuntuos/o/a/i/e disonest/o/a/i/e
    manipolat/ore/rice egoist/a/i/e maleducat/o/a/i/e cafon/e/a/i invidios/o/a/i/e viscid/o/a`,
  loose: `
    testard/o/a/i/e ignorant/e/i sciatt/o/a/i/e avid/o/a/i/e pigr/o/a/i/e`,
  faults: `
    stupid/o/a/i/e incapac/e/i inutil/e/i pessim/o/a/i/e orribil/e/i terribil/e/i insopportabil/e/i ridicol/o/a/i/e
    spazzatura disastro pazz/o/a/i scem/o/a/i/e parassit/a/i/e`,
  skills: `
    scars/o/a/i/e lent/o/a/i/e debol/e/i negat/o/a`,
};

export const PORTUGUESE_JUDGEMENTS: JudgementWords = {
  isNounFirst: true,
  people: `
    senhor//a seu dona chefe//s colega//s estagiári/o/os/a/as desenvolvedor//a/es funcionári/o/os/a/as cliente//s
    senhori/o/a inquilin/o/a vizinh/o/os/a/as porteir/o/a zelador//a síndic/o/a professor//a/es diretor//a médic/o/a
    doutor//a dentista advogad/o/a prefeit/o/a vereador//a estudante alun/o/a gerente sóci/o/a marido mulher esposa
    irmã irmão mãe pai ti/o/a prim/o/a filh/o/a cunhad/o/a sogr/o/a genro nora ex amig/o/a namorad/o/a encanador
    canalizador equip/e/a pessoal gente treinador//a padre secretári/o/a consultor//a vendedor//a contador//a
    contabilista presidente`,
  user: `
    us/uário/uária/úário/úária utilizador//a eu`,
  be: `
    é são era eram foi está estão sou seja`,
  between: `
    um//a uns umas o a os as muito tão demasiado realmente completamente totalmente bastante sempre também
    simplesmente verdadeir/o/a grande pobre mais meio`,
  not: `
    não nunca jamais`,
  tail: `
    de do da dos das em no na com para que a`,
  traits: `
    idiota//s imbeci/l/s cretin/o/os/a/as parv/o/os/a/as mentiros/o/os/a/as vigarista//s golpista//s
    trapaceir/o/os/a/as ladr/ão/a/ões avar/o/os/a/as/ento/entos/enta/entas sovina//s forreta//s 
    vagabund/o/os/a/as cobarde//s covarde//s hipócrita//s canalha//s babaca//s otári/o/os/a/as 
    incompetente//s inept/o/os/a/as arrogante//s prepotente//s desonest/o/os/a/as manipulador//a/es egoísta//s
    mal-educad/o/os/a/as grosseir/o/os/a/as invejos/o/os/a/as`,
  loose: `
    teimos/o/os/a/as gananci/oso/osos/osa/osas desleixad/o/os/a/as ignorante//s preguiços/o/os/a/as`,
  faults: `
    burr/o/os/a/as estúpid/o/os/a/as inútil inúteis incapaz//es péssim/o/os/a/as horríve/l/is terríve/l/is
    insuportáve/l/is ridícul/o/os/a/as desastre lixo louc/o/os/a/as parasita//s`,
  skills: `
    mau má rui/m/ns lent/o/os/a/as frac/o/os/a/as`,
};
