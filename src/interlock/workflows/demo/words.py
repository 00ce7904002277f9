"""Invented names and texts that the demo is made of; all sites are under .example, nothing in here exists."""

from __future__ import annotations

from typing import NamedTuple


class Site(NamedTuple):
    """A web site: its host, the title of its home page, a sentence, and how it behaves."""

    host: str
    title: str
    text: str
    manner: str = "good"


SITES = (
    Site(
        "halden-werkzeuge.example",
        "Halden Werkzeuge GmbH: Präzisionswerkzeuge seit 1921",
        "Drehen, Fräsen, Schleifen in vierter Generation.",
    ),
    Site(
        "northquay-logistics.example",
        "Northquay Logistics | Freight forwarding, Rotterdam",
        "Road, sea and customs under one roof.",
    ),
    Site(
        "brightwater-dental.example",
        "Brightwater Dental: family dentist in Leeds",
        "New patients welcome. Meet the team and find us.",
    ),
    Site(
        "osteria-del-ponte.example",
        "Osteria del Ponte, cucina veneta dal 1968",
        "Prenotazioni, menù del giorno, eventi privati.",
    ),
    Site(
        "kesteven-joinery.example",
        "Kesteven Joinery: bespoke windows and stairs",
        "Hand-made sash windows, staircases and doors.",
    ),
    Site(
        "atlas-metrology.example",
        "Atlas Metrology: calibration laboratory",
        "Dimensional, torque and pressure calibration.",
    ),
    Site(
        "parked-domains-4471.example",
        "This domain may be for sale",
        "The owner of this page has not yet uploaded a website.",
    ),
    Site(
        "fjordline-charter.example",
        "Fjordline Charter",
        "Boats with and without skipper, Bergen to Ålesund.",
        "wall",
    ),
    Site(
        "velo-marchetti.example",
        "Velo Marchetti: officina e telai su misura",
        "Telai in acciaio saldati a mano a Treviso.",
    ),
    Site(
        "greenhollow-nursery.example",
        "Greenhollow Nursery & Garden Centre",
        "Perennials, hedging and bare-root trees.",
    ),
    Site("tamsin-okafor.example", "Tamsin Okafor, illustrator", "Portfolio and commissions."),
    Site(
        "baltic-timber-supply.example",
        "Baltic Timber Supply OÜ",
        "Kiln-dried softwood, delivered in Estonia, Latvia and Finland.",
    ),
    Site(
        "saltmarsh-vets.example",
        "Saltmarsh Veterinary Group: three surgeries in Norfolk",
        "Out-of-hours line and team pages.",
    ),
    Site("ridgeway-roofing.example", "Ridgeway Roofing Contractors", "Slate, tile and flat roofs.", "error"),
    Site("osteria-nova.example", "Osteria Nova", "Un piatto alla volta.", "slow"),
    Site(
        "fen-marine.example",
        "Fen Marine Engineering",
        "Engines, gearboxes and moorings on the Ouse.",
        "error",
    ),
    Site("cobalt-analytics.example", "Cobalt Analytics", "Laboratory data for water companies."),
    Site(
        "lumen-und-lot.example", "Lumen & Lot Leuchten", "Leuchten aus Messing und Glas, gefertigt in Kassel."
    ),
    Site("harbour-yoga.example", "Harbour Yoga, classes by the sea", "Drop in, or book a course of ten."),
    Site("pico-ceramica.example", "Pico Cerâmica", "Azulejos pintados à mão em Aveiro."),
    Site("stonecrop-surveys.example", "Stonecrop Surveys Ltd", "Topographic and measured building surveys."),
    Site("meridian-locks.example", "Meridian Locks & Safes", "Emergency locksmith, day and night.", "wall"),
    Site("alder-bakehouse.example", "Alder Bakehouse", "Sourdough, rye and seasonal cakes."),
    Site("kranjska-papirnica.example", "Kranjska papirnica", "Zvezki, papir in vezava po naročilu."),
    Site("redwood-audio.example", "Redwood Audio Repair", "Amplifiers, turntables, tape machines."),
    Site(
        "tidewater-law.example",
        "Tidewater Law, maritime solicitors",
        "Charterparties, salvage and collisions.",
    ),
    Site("borough-cargo-bikes.example", "Borough Cargo Bikes", "Hire by the day, service by the hour."),
    Site("finca-el-olivo.example", "Finca El Olivo", "Aceite de oliva virgen extra de Jaén."),
    Site("glasgow-tool-library.example", "Glasgow Tool Library", "Borrow a drill, a ladder or a sander."),
    Site("nordwind-segel.example", "Nordwind Segel", "Segelmacherei in Flensburg seit 1974."),
    Site("quillfeather-press.example", "Quillfeather Press", "Letterpress stationery and small books."),
    Site("marlowe-piano.example", "Marlowe Piano Tuning", "Tuning, regulation and voicing in Kent."),
    Site("apex-scaffold.example", "Apex Scaffold Hire", "Domestic and commercial scaffolding.", "error"),
    Site("luz-fotografia.example", "Luz Fotografia", "Retratos e casamentos no Porto."),
    Site("hartmann-orgelbau.example", "Hartmann Orgelbau", "Restaurierung und Neubau von Orgeln."),
    Site("sunnyside-childcare.example", "Sunnyside Childcare", "Nursery and after-school club."),
    Site("cider-and-rye.example", "Cider & Rye Provisions", "Farm shop near Ledbury."),
    Site("zvonar-klima.example", "Zvonar Klima", "Toplotne črpalke in prezračevanje."),
    Site("ember-ironworks.example", "Ember Ironworks", "Gates, railings and fire baskets."),
    Site("peakline-tours.example", "Peakline Tours", "Guided walks in small groups.", "slow"),
)
MORE_SITES = (
    ("bakery", "Bakery", "Bread, baked every morning."),
    ("optics", "Opticians", "Eye tests and frames."),
    ("plumbing", "Plumbing & Heating", "Boilers, bathrooms and leaks."),
    ("press", "Press", "Books, printed in small runs."),
    ("cycles", "Cycles", "Frames, wheels and repairs."),
    ("architects", "Architects", "Houses and public buildings."),
)
TOWNS = (
    "ashford",
    "barnes",
    "calder",
    "dunmore",
    "elstow",
    "farley",
    "gorran",
    "hexham",
    "ivybridge",
    "jarrow",
    "kelso",
    "louth",
)
BUYERS = (
    "GROCER ON THE HILL",
    "CITY TRAMS TICKET",
    "RENT FEBRUARY",
    "PAYROLL HALDEN WERKZEUGE",
    "COFFEE CORNER 114",
    "BOOKSHOP QUILLFEATHER",
    "PHARMACY ST. ANNE",
    "STREAMING MONTHLY",
    "INSURANCE PREMIUM",
    "TRANSFER FROM SAVINGS",
)
ARTICLES = (
    (
        "Chip makers raise spending as demand for AI servers grows",
        "Nvidia and AMD said that orders for AI accelerators rose again. Analysts expect strong demand for data centers.",
    ),
    (
        "Uranium prices climb on new reactor plans",
        "Utilities signed long contracts as governments backed nuclear power. Cameco shares rallied after the company raised its outlook.",
    ),
    (
        "Obesity drugs lift sales at Novo and Lilly",
        "Eli Lilly reported record sales of its weight loss drug. Supply remains tight, and demand for GLP-1 treatments is strong.",
    ),
    (
        "Banks warn of slower lending",
        "Higher rates weigh on mortgage demand. JPMorgan said that credit quality is weakening among small borrowers.",
    ),
    (
        "Grid batteries become cheaper",
        "Tesla and its suppliers cut prices for energy storage. Utilities order more batteries to balance solar power.",
    ),
    (
        "Copper stocks fall to a five-year low",
        "Freeport shares rose as inventories of copper declined. Electrification keeps demand strong.",
    ),
    ("A quiet week for retailers", "Shops reported ordinary sales, and nobody expected otherwise."),
    (
        "Defense budgets grow across Europe",
        "Rheinmetall and Lockheed Martin expect larger orders as defense spending increases.",
    ),
)


class Draft(NamedTuple):
    """A piece of content as somebody submits it."""

    item_type: str
    language: str
    level: str
    payload: dict[str, object]
    author: str
    confidence: float | None = None


DRAFTS = (
    Draft(
        "meaning",
        "EN",
        "C1",
        {
            "word": "to hedge",
            "definition": "To protect oneself against a loss by doing something that makes up for it.",
        },
        "corpus",
        0.94,
    ),
    Draft(
        "meaning",
        "PT",
        "B2",
        {"word": "saudade", "definition": "Sentimento de falta de alguém ou de alguma coisa que está longe."},
        "corpus",
        0.91,
    ),
    Draft(
        "meaning",
        "ES",
        "B2",
        {"word": "madrugón", "definition": "Acción de levantarse muy temprano por la mañana."},
        "corpus",
        0.62,
    ),
    Draft(
        "meaning",
        "IT",
        "B1",
        {
            "word": "la raccolta",
            "definition": "Il momento in cui si prendono i frutti dalla terra o dagli alberi.",
        },
        "corpus",
        0.88,
    ),
    Draft(
        "meaning",
        "IT",
        "B1",
        {
            "word": "il raccolto",
            "definition": "Il momento in cui si prendono i frutti dalla terra e dagli alberi.",
        },
        "corpus",
        0.81,
    ),
    Draft(
        "meaning",
        "SL",
        "B1",
        {"word": "dvojina", "definition": "Oblika besede, ki pomeni dva predmeta ali dve osebi."},
        "corpus",
        0.9,
    ),
    Draft(
        "meaning",
        "EN",
        "B2",
        {
            "word": "to table a motion",
            "definition": "To put a proposal before a meeting so that it can be discussed.",
        },
        "corpus",
        0.66,
    ),
    Draft(
        "rule",
        "IT",
        "A2",
        {
            "title": "Il passato prossimo",
            "explanation": "I verbi di movimento prendono essere. Il participio concorda con il soggetto.",
            "examples": ["Sono andata al mercato.", "Siamo arrivati tardi."],
        },
        "mira",
    ),
    Draft(
        "rule",
        "EN",
        "A2",
        {
            "title": "Few and little",
            "explanation": "Few goes with things that can be counted. Little goes with things that cannot.",
            "examples": ["Few people came.", "There is little milk."],
        },
        "mira",
    ),
    Draft(
        "rule",
        "ES",
        "A1",
        {
            "title": "Ser y estar",
            "explanation": "Ser dice lo que una cosa es. Estar dice cómo o dónde está.",
            "examples": ["Soy médica.", "Estoy en casa."],
        },
        "joão",
    ),
    Draft(
        "rule",
        "PT",
        "B2",
        {
            "title": "A crase",
            "explanation": "A crase junta a preposição e o artigo feminino.",
            "examples": ["Vou à praia."],
        },
        "joão",
    ),
    Draft(
        "exercise",
        "ES",
        "A1",
        {
            "prompt": "Yo ___ en casa.",
            "options": ["soy", "estoy", "eres"],
            "correct_answer": 1,
            "languages": ["ES", "EN"],
        },
        "joão",
    ),
    Draft(
        "exercise",
        "EN",
        "A2",
        {
            "prompt": "There is ___ milk.",
            "options": ["few", "little"],
            "correct_answer": 1,
            "languages": ["EN"],
        },
        "mira",
    ),
    Draft(
        "exercise",
        "EN",
        "A1",
        {"prompt": "She ___ a doctor.", "options": ["is", "are"], "correct_answer": 4, "languages": ["EN"]},
        "mira",
    ),
    Draft(
        "meaning",
        "EN",
        "A2",
        {
            "word": "umbrella",
            "definition": "A thing that you hold over your head when it rains , so that you stay dry.",
        },
        "corpus",
        0.97,
    ),
    Draft(
        "meaning",
        "EN",
        "A0",
        {
            "word": "ambivalent",
            "definition": "Feeling two different things about somebody at once, and unable to say which is stronger.",
        },
        "corpus",
        0.93,
    ),
    Draft(
        "meaning",
        "ES",
        "B1",
        {"word": "sobremesa", "definition": "Tiempo que se pasa hablando en la mesa después de comer."},
        "corpus",
        0.96,
    ),
    Draft(
        "rule",
        "SL",
        "B1",
        {
            "title": "Dvojina",
            "explanation": "Dvojina se rabi, kadar govorimo o dveh osebah ali dveh predmetih.",
            "examples": ["Midva greva.", "Dve mizi stojita."],
        },
        "mira",
    ),
    Draft(
        "meaning",
        "PT",
        "A2",
        {"word": "cafuné", "definition": "Carinho que se faz com os dedos no cabelo de alguém."},
        "corpus",
        0.58,
    ),
    Draft(
        "meaning",
        "EN",
        "B1",
        {
            "word": "to muddle through",
            "definition": "To reach the end of something without a plan and with many small mistakes.",
        },
        "corpus",
        0.79,
    ),
)
REPLACEMENT = Draft(
    "rule",
    "IT",
    "A2",
    {
        "title": "Il passato prossimo con essere",
        "explanation": "I verbi di movimento e tutti i verbi riflessivi prendono essere. Il participio concorda con il soggetto.",
        "examples": ["Sono andata al mercato.", "Siamo arrivati tardi.", "Ci siamo svegliati alle sei."],
    },
    "mira",
)
"""Proposes to replace the first rule of `DRAFTS`."""
