"""What the clutter of pages says, by rule and language: whole lines for the phrase rules, beginnings for headings.

Lines are compared whole, with case, digits and punctuation left out, so that a sentence that merely holds such words is
never taken. Every language is looked up on every page: pages mix them, and a whole line leaves little room for doubt.
"""

from __future__ import annotations

from typing import Final

Words = dict[str, dict[str, str]]

LINES: Final[Words] = {
    "share": {
        "en": (
            "share|share this|share this article|share this post|share this page|share this story|share article"
            "|share on|share on facebook|share on twitter|share on x|share on linkedin|share on pinterest"
            "|share via email|share to|tweet|tweet this|pin it|pin this|email this|copy link|copy|link copied"
            "|share link|copy url|email|print|print this page|print page|facebook|twitter|linkedin|pinterest|whatsapp"
            "|telegram|reddit|x|instagram|youtube|tiktok|threads|bluesky|mastodon|flipboard|messenger|share with|send"
            "|send to a friend|email a friend|save|bookmark|share save|follow us|follow|follow us on|follow me"
            "|share post|share this on|spread the word|share your thoughts|sharing is caring|save article"
        ),
        "de": (
            "teilen|artikel teilen|beitrag teilen|seite teilen|diesen artikel teilen|diesen beitrag teilen|teilen auf"
            "|teilen mit|weiterempfehlen|merken|drucken|seite drucken|per e mail|twittern|link kopieren"
            "|folgen sie uns|folgt uns|folge uns|artikel drucken|versenden|per mail senden"
        ),
        "fr": (
            "partager|partager cet article|partagez|partagez cet article|partager sur|imprimer|envoyer"
            "|envoyer par e mail|copier le lien|suivez nous|suivre|enregistrer|partager l article|tweeter|épingler"
        ),
        "es": (
            "compartir|comparte|compartir en|compartir este artículo|comparte este artículo|comparte en|imprimir"
            "|enviar|enviar por email|copiar enlace|síguenos|seguir|guardar|tuitear|compártelo"
        ),
        "pt": (
            "compartilhar|compartilhe|compartilhe este artigo|compartilhar no|partilhar|partilhe|imprimir"
            "|enviar por e mail|copiar link|siga nos|seguir|salvar|guardar|tweetar"
        ),
        "it": (
            "condividi|condividi su|condividi questo articolo|condividi l articolo|stampa|invia|copia link|seguici"
            "|seguici su|segui|salva|invia per email|twitta"
        ),
        "ru": (
            "поделиться|поделитесь|поделиться ссылкой|поделиться в|поделиться статьей|печать|версия для печати"
            "|распечатать|отправить|скопировать ссылку|подписаться|сохранить|вконтакте|одноклассники"
        ),
        "zh": (
            "分享|分享到|分享至|分享本文|分享文章|打印|打印本页|收藏|转发|微信|微博|复制链接|列印|轉發|分享給朋友"
            "|关注我们|微信扫一扫|扫一扫"
        ),
        "ja": (
            "シェア|シェアする|共有|共有する|この記事をシェア|この記事をシェアする|ツイート|ツイートする|印刷"
            "|印刷する|ブックマーク|はてなブックマーク|リンクをコピー|フォローする|保存|送る|ラインで送る"
        ),
    },
    "read-more": {
        "en": (
            "read more|continue reading|read the full story|read full article|read full story|read article|learn more"
            "|more|see more|view more|show more|load more|view all|see all|show all|more info|more information"
            "|keep reading|read on|read the article|find out more|expand|show less|read less|see less|view details"
            "|click here|click here to read more|read next|more details|view post|view article|full story"
            "|read the rest|read story"
        ),
        "de": (
            "weiterlesen|mehr lesen|mehr|mehr erfahren|mehr anzeigen|alle anzeigen|weitere anzeigen|zum artikel"
            "|artikel lesen|jetzt lesen|lesen sie mehr|mehr dazu|mehr infos|mehr laden|lesen sie auch"
            "|weniger anzeigen|hier klicken"
        ),
        "fr": (
            "lire la suite|en savoir plus|voir plus|lire plus|lire l article|plus|voir tout|afficher plus|suite"
            "|lire aussi|à lire aussi|charger plus|découvrir|voir moins"
        ),
        "es": (
            "leer más|seguir leyendo|ver más|continuar leyendo|más información|ver todo|ver todos|más|cargar más"
            "|mostrar más|saber más|lea también|lee también|lea más|ver menos"
        ),
        "pt": (
            "leia mais|ler mais|continuar lendo|continue lendo|saiba mais|ver mais|ver tudo|ver todos|mais"
            "|carregar mais|leia também|mostrar mais|continuar a ler"
        ),
        "it": (
            "leggi tutto|continua a leggere|leggi di più|leggi|scopri di più|vedi tutto|vedi altro|mostra altro"
            "|carica altri|altro|leggi anche|approfondisci|continua"
        ),
        "ru": (
            "читать далее|читать дальше|подробнее|далее|ещё|еще|показать ещё|показать еще|читать полностью"
            "|смотреть все|читайте также|узнать больше|загрузить еще|читать|читать также"
        ),
        "zh": (
            "阅读更多|阅读全文|查看更多|更多|查看全文|继续阅读|了解更多|查看全部|展开|收起|展开全文|加载更多|閱讀更多"
            "|繼續閱讀|查看詳情|查看详情|显示更多|點擊查看"
        ),
        "ja": (
            "続きを読む|もっと見る|もっと読む|詳しくはこちら|詳細を見る|詳しく見る|記事を読む|すべて見る|一覧を見る"
            "|一覧へ|さらに表示|さらに読む|全文を読む|あわせて読みたい"
        ),
    },
    "advertisement": {
        "en": (
            "advertisement|advertisements|advertising|ad|ads|sponsored|sponsored content"
            "|advertisement continue reading below|story continues below advertisement"
            "|article continues below advertisement|story continues below|continue reading below"
            "|article continues below|paid content|promoted|scroll to continue|advertiser content|remove ads"
            "|report this ad|report ad|skip advertisement|advertisement skip advertisement"
        ),
        "de": (
            "anzeige|anzeigen|werbung|gesponsert|weiterlesen nach der anzeige"
            "|artikel wird nach der anzeige fortgesetzt|ende der anzeige"
        ),
        "fr": "publicité|annonce|annonces|sponsorisé|contenu sponsorisé|la suite après cette publicité",
        "es": ("publicidad|anuncio|anuncios|patrocinado|contenido patrocinado|continúa debajo|sigue leyendo debajo del anuncio"),
        "pt": (
            "publicidade|anúncio|anúncios|patrocinado|conteúdo patrocinado|continua depois da publicidade"
            "|continua após a publicidade|propaganda"
        ),
        "it": "pubblicità|annuncio|annunci|sponsorizzato|contenuto sponsorizzato|continua dopo la pubblicità",
        "ru": "реклама|на правах рекламы|объявление|спонсорский контент",
        "zh": "广告|廣告|推广|赞助内容|赞助|贊助",
        "ja": "広告|スポンサー|スポンサーリンク|スポンサードリンク|記事広告",
    },
    "comments": {
        "en": (
            "comments|comment|no comments|no comments yet|leave a comment|leave a reply|leave a response"
            "|add a comment|post a comment|write a comment|view comments|show comments|hide comments"
            "|join the conversation|join the discussion|reply|replies|responses|log in to comment"
            "|log in to leave a comment|be the first to comment|comments are closed|post comment|report"
            "|report comment|cancel reply|sign in to comment|upvote|downvote|like|likes|shares|views|view|favorites"
            "|quote|dislike|helpful|flag|reply to this|was this helpful|was this article helpful"
            "|was this page helpful|did you find this helpful|yes|yes no|yes no thanks"
        ),
        "de": (
            "kommentare|kommentar|keine kommentare|kommentar schreiben|kommentar hinterlassen"
            "|schreibe einen kommentar|kommentieren|antworten|antwort|kommentar verfassen|kommentare anzeigen"
            "|schreiben sie einen kommentar|diskutieren sie mit|gefällt mir|melden|war dieser artikel hilfreich"
            "|zitieren"
        ),
        "fr": (
            "commentaires|commentaire|aucun commentaire|laisser un commentaire|ajouter un commentaire|répondre"
            "|réponses|commenter|poster un commentaire|voir les commentaires|j aime|signaler"
            "|cet article vous a t il été utile|laissez un commentaire|citer"
        ),
        "es": (
            "comentarios|comentario|no hay comentarios|sin comentarios|deja un comentario|dejar un comentario"
            "|deja una respuesta|responder|respuestas|comentar|ver comentarios|me gusta|denunciar|te ha sido útil"
            "|añadir comentario|cancelar respuesta|citar"
        ),
        "pt": (
            "comentários|comentário|nenhum comentário|sem comentários|deixe um comentário|deixar um comentário"
            "|deixe uma resposta|responder|respostas|comentar|ver comentários|curtir|gostei|denunciar|isto foi útil"
            "|cancelar resposta|citar"
        ),
        "it": (
            "commenti|commento|nessun commento|lascia un commento|rispondi|risposte|commenta|scrivi un commento"
            "|mostra commenti|mi piace|segnala|ti è stato utile|annulla risposta|cita"
        ),
        "ru": (
            "комментарии|комментарий|нет комментариев|комментариев нет|добавить комментарий|оставить комментарий"
            "|ответить|ответы|написать комментарий|комментировать|показать комментарии|нравится|мне нравится"
            "|пожаловаться|цитировать|просмотров|просмотры"
        ),
        "zh": (
            "评论|留言|发表评论|暂无评论|查看评论|回复|写评论|参与评论|点赞|举报|收藏|發表評論|回覆|網友評論|网友评论"
            "|我要评论|引用|阅读|浏览"
        ),
        "ja": (
            "コメント|コメントする|コメントを書く|コメントを残す|コメントなし|コメントはありません|返信|返信する"
            "|コメントを見る|いいね|通報|通報する|コメントを投稿|役に立ちましたか|引用"
        ),
    },
    "navigation": {
        "en": (
            "home|menu|search|skip to content|skip to main content|back to top|top|scroll to top|next|previous|prev"
            "|back|next page|previous page|next article|previous article|next post|previous post|go back|close"
            "|toggle navigation|navigation|jump to|sign in|log in|login|sign up|register|log out|create account"
            "|my account|cart|add to cart|loading|loading more|please wait|edit|edit this page|edit on github"
            "|on this page|in this article|table of contents|filter|filters|sort by|sort|open menu|close menu"
            "|main menu|breadcrumb|you are here|scroll down|skip|contact us|about us|privacy policy|terms of service"
            "|terms of use|cookie policy|sitemap|report a bug|install app|get the app|open app|select language"
            "|english|collapse all|expand all|play|pause|mute|play video|watch now|listen|listen to this article"
            "|listen to article|audio|video|gallery|slideshow|photos"
        ),
        "de": (
            "startseite|menü|suche|suchen|zum inhalt springen|zum inhalt|nach oben|zurück|weiter|nächste|vorherige"
            "|nächster artikel|vorheriger artikel|nächster beitrag|vorheriger beitrag|anmelden|registrieren|einloggen"
            "|schließen|inhaltsverzeichnis|inhalt|laden|impressum|datenschutz|kontakt|warenkorb|in den warenkorb"
            "|sie sind hier|seite bearbeiten|artikel anhören|anhören"
        ),
        "fr": (
            "accueil|menu|recherche|rechercher|aller au contenu|haut de page|retour|suivant|précédent|article suivant"
            "|article précédent|connexion|se connecter|s inscrire|fermer|sommaire|table des matières|chargement"
            "|mentions légales|contact|ajouter au panier|vous êtes ici|écouter|écouter l article|retour en haut"
        ),
        "es": (
            "inicio|menú|buscar|saltar al contenido|ir al contenido|volver arriba|volver|siguiente|anterior"
            "|artículo siguiente|artículo anterior|iniciar sesión|registrarse|cerrar|índice|tabla de contenidos"
            "|cargando|aviso legal|contacto|añadir al carrito|escuchar|escuchar artículo|entrada anterior"
            "|entrada siguiente"
        ),
        "pt": (
            "início|menu|buscar|pesquisar|pular para o conteúdo|ir para o conteúdo|voltar ao topo|voltar|próximo"
            "|anterior|próximo artigo|artigo anterior|entrar|cadastrar|fechar|índice|sumário|carregando|contato"
            "|adicionar ao carrinho|ouvir|ouvir artigo"
        ),
        "it": (
            "menu|cerca|vai al contenuto|torna su|torna in alto|indietro|successivo|precedente|articolo successivo"
            "|articolo precedente|accedi|registrati|chiudi|indice|sommario|caricamento|contatti|aggiungi al carrello"
            "|ascolta|ascolta l articolo|sei qui"
        ),
        "ru": (
            "главная|меню|поиск|перейти к содержанию|перейти к содержимому|наверх|назад|вперед|следующая|предыдущая"
            "|следующая статья|предыдущая статья|войти|вход|регистрация|закрыть|содержание|оглавление|загрузка"
            "|контакты|в корзину|добавить в корзину|слушать|вы здесь"
        ),
        "zh": (
            "首页|菜单|搜索|跳到内容|跳至主要内容|返回顶部|回到顶部|返回|下一页|上一页|下一篇|上一篇|登录|注册|登入"
            "|註冊|关闭|關閉|目录|目錄|加载中|联系我们|加入购物车|首頁|搜尋|您的位置|当前位置|相关标签"
        ),
        "ja": (
            "ホーム|メニュー|検索|コンテンツへスキップ|本文へスキップ|トップへ戻る|ページトップへ|戻る|次へ|前へ"
            "|次の記事|前の記事|次のページ|前のページ|ログイン|新規登録|会員登録|閉じる|目次|読み込み中|お問い合わせ"
            "|カートに入れる"
        ),
    },
    "subscribe": {
        "en": (
            "subscribe|subscribe now|subscribe to our newsletter|sign up for our newsletter|join our newsletter"
            "|newsletter|get the newsletter|sign up now|subscribe to newsletter|newsletter sign up|newsletter signup"
            "|stay updated|stay connected|stay in touch|get updates|subscribe today|join now|stay informed"
            "|join our mailing list|never miss a post|never miss a story|sign up to our newsletter"
            "|subscribe for updates|enter your email|your email address|email address"
        ),
        "de": (
            "newsletter|newsletter abonnieren|abonnieren|jetzt abonnieren|zum newsletter anmelden|jetzt anmelden"
            "|newsletter anmeldung|unser newsletter|bleiben sie informiert|e mail adresse|ihre e mail adresse"
        ),
        "fr": (
            "newsletter|s abonner|abonnez vous|abonnez vous à notre newsletter|inscrivez vous à notre newsletter"
            "|je m abonne|je m inscris|restez informé|votre adresse e mail|infolettre"
        ),
        "es": (
            "boletín|newsletter|suscríbete|suscribirse|suscríbete a nuestro boletín|suscríbete a nuestra newsletter"
            "|suscríbase|regístrate|mantente informado|tu correo electrónico"
        ),
        "pt": (
            "newsletter|inscreva se|assine|assine nossa newsletter|assine a newsletter|receba nossa newsletter"
            "|cadastre se|fique por dentro|subscrever|seu e mail|boletim"
        ),
        "it": (
            "newsletter|iscriviti|iscriviti alla newsletter|iscriviti alla nostra newsletter|abbonati"
            "|resta aggiornato|registrati ora|la tua email"
        ),
        "ru": (
            "рассылка|подписка|подписаться на рассылку|подпишитесь на рассылку|подпишитесь на нашу рассылку"
            "|подписаться на новости|оформить подписку|будьте в курсе|ваш e mail"
        ),
        "zh": (
            "订阅|訂閱|订阅我们|订阅电子报|訂閱電子報|邮件订阅|立即订阅|关注公众号|订阅我们的新闻通讯"
            "|订阅通讯|订阅我们的通讯|订阅我们的电子报|訂閱我們的電子報|訂閱通訊"
        ),
        "ja": (
            "メルマガ登録|メールマガジン|メルマガ|ニュースレター|購読する|登録する|メールマガジン登録"
            "|ニュースレターに登録|今すぐ登録|メールマガジンに登録|メールマガジンに登録する|メルマガに登録|メルマガに登録する"
            "|ニュースレターに登録する|ニュースレターを購読|ニュースレターを購読する"
        ),
    },
    "copyright": {
        "en": "all rights reserved|copyright|privacy policy|terms and conditions",
        "de": "alle rechte vorbehalten|nutzungsbedingungen|datenschutzerklärung",
        "fr": "tous droits réservés|conditions d utilisation|politique de confidentialité",
        "es": "todos los derechos reservados|condiciones de uso|política de privacidad",
        "pt": "todos os direitos reservados|termos de uso|política de privacidade",
        "it": "tutti i diritti riservati|condizioni d uso|informativa sulla privacy",
        "ru": "все права защищены|политика конфиденциальности",
        "zh": "版权所有|版權所有|保留所有权利|隐私政策",
        "ja": "無断転載禁止|無断転載を禁じます|プライバシーポリシー",
    },
}
"""Whole lines by rule and language."""

RELATED: Final[dict[str, str]] = {
    "en": (
        "related|related posts|related articles|related stories|related content|related news|related topics"
        "|related products|related reading|related links|related videos|related items|related resources"
        "|you may also like|you might also like|you may like|you might like|you may also enjoy|also like|more from"
        "|more stories|more articles|more posts|more news|more on this|more on this story|more like this|recommended"
        "|recommended for you|recommended reading|recommended articles|recommended stories|recommendations|read next"
        "|up next|most read|most popular|most viewed|popular posts|popular articles|popular stories|popular now"
        "|trending|trending now|trending stories|latest news|latest posts|latest stories|latest articles|recent posts"
        "|recent articles|recent news|similar articles|similar posts|similar products|similar items"
        "|customers also bought|customers also viewed|customers who bought this also bought|people also ask"
        "|people also viewed|people also bought|frequently bought together|recently viewed|recently viewed products"
        "|what to read next|keep reading|from around the web|around the web|sponsored links|other articles"
        "|other posts|other stories|other products|editor s picks|editors picks|top stories|top news|don t miss"
        "|in case you missed it|explore more|discover more|more to explore|more to read|featured posts"
        "|featured articles|from our blog|from the blog|latest from the blog|latest from|about the author"
        "|about the authors|about author|share this article|share this post|share this|tags|topics|categories"
        "|filed under|follow us|connect with us|subscribe|newsletter|leave a comment|leave a reply|post a comment"
        "|hot network questions|linked|related questions|similar threads|similar topics|similar discussions"
        "|related threads"
    ),
    "de": (
        "das könnte sie auch interessieren|das könnte dich auch interessieren|das könnte ihnen auch gefallen"
        "|ähnliche artikel|ähnliche beiträge|ähnliche produkte|ähnliche themen|verwandte artikel|verwandte beiträge"
        "|verwandte themen|weitere artikel|weitere beiträge|weitere themen|weitere nachrichten|mehr zum thema"
        "|mehr aus|mehr artikel|auch interessant|lesen sie auch|meistgelesen|meistgelesene artikel|beliebte artikel"
        "|beliebte beiträge|neueste artikel|neueste beiträge|neuste beiträge|empfehlungen|empfohlene artikel"
        "|empfohlen|aus dem ressort|über den autor|über die autorin|schlagwörter|schlagworte|kategorien"
        "|kunden kauften auch|zuletzt angesehen|top artikel|aktuelle nachrichten"
    ),
    "fr": (
        "articles similaires|articles liés|articles connexes|articles recommandés|à lire aussi|à lire également"
        "|lire aussi|sur le même sujet|sur le même thème|vous aimerez aussi|vous pourriez aussi aimer"
        "|ces articles pourraient vous intéresser|les plus lus|le plus lu|les plus populaires|derniers articles"
        "|articles récents|dernières actualités|recommandé pour vous|recommandations|plus d articles"
        "|produits similaires|produits associés|à propos de l auteur|mots clés|étiquettes|catégories|voir aussi sur"
        "|à découvrir|dans la même rubrique"
    ),
    "es": (
        "artículos relacionados|noticias relacionadas|entradas relacionadas|contenido relacionado|relacionados"
        "|relacionadas|te puede interesar|también te puede interesar|quizás te interese|también te gustará"
        "|te recomendamos|recomendados|recomendado para ti|lo más leído|lo más visto|lo más popular|más leídas"
        "|más leídos|últimas noticias|últimas entradas|entradas recientes|artículos recientes|más noticias"
        "|más artículos|más información sobre|sobre el autor|acerca del autor|etiquetas|categorías"
        "|productos relacionados|productos similares|lee también|lea también|más en|temas relacionados"
    ),
    "pt": (
        "artigos relacionados|notícias relacionadas|posts relacionados|conteúdo relacionado|relacionados|relacionadas"
        "|leia também|veja também|você também pode gostar|talvez você goste|pode gostar|recomendado para você"
        "|recomendados|recomendadas|mais lidas|mais lidos|as mais lidas|mais vistas|últimas notícias|últimos posts"
        "|posts recentes|artigos recentes|mais notícias|mais artigos|sobre o autor|sobre a autora|etiquetas"
        "|categorias|produtos relacionados|produtos similares|mais em"
    ),
    "it": (
        "articoli correlati|articoli simili|notizie correlate|contenuti correlati|post correlati|correlati"
        "|potrebbe interessarti|potrebbe interessarti anche|ti potrebbe interessare|potrebbero interessarti anche"
        "|leggi anche|consigliati|consigliati per te|i più letti|più letti|più lette|i più popolari|ultime notizie"
        "|ultimi articoli|articoli recenti|altre notizie|altri articoli|informazioni sull autore|sull autore"
        "|etichette|categorie|prodotti correlati|prodotti simili|in evidenza|della stessa categoria"
    ),
    "ru": (
        "читайте также|похожие статьи|похожие записи|похожие материалы|похожие новости|похожие товары|по теме"
        "|материалы по теме|новости по теме|вам может понравиться|вам может быть интересно|вас может заинтересовать"
        "|рекомендуем|рекомендуем почитать|популярное|популярные статьи|популярные материалы|самое читаемое"
        "|самое популярное|последние новости|свежие записи|другие статьи|другие новости|ещё по теме|еще по теме"
        "|смотрите также|об авторе|теги|метки|рубрики|категории|с этим товаром покупают|недавно просмотренные|темы"
    ),
    "zh": (
        "相关阅读|相关文章|相关新闻|相关推荐|相关内容|相关产品|相关报道|相关链接|相关主题|推荐阅读|推荐文章|猜你喜欢"
        "|热门文章|热门推荐|热门新闻|热门阅读|最新文章|最新新闻|更多文章|更多新闻|更多内容|延伸阅读|精彩推荐|阅读排行"
        "|点击排行|大家都在看|你可能还喜欢|您可能感兴趣的|关于作者|作者简介|标签|分类|相關文章|相關新聞|推薦閱讀"
        "|延伸閱讀|熱門文章|最新文章|猜你喜歡|更多文章|相關閱讀|編輯推薦|编辑推荐|本周热门|相似商品"
    ),
    "ja": (
        "関連記事|関連ニュース|関連リンク|関連商品|関連情報|関連コンテンツ|関連する記事|おすすめ記事|おすすめ"
        "|おすすめの記事|人気記事|人気の記事|人気ランキング|アクセスランキング|ランキング|最新記事|新着記事"
        "|最近の投稿|最新ニュース|こちらもおすすめ|あわせて読みたい|合わせて読みたい|こんな記事も読まれています"
        "|この記事を読んだ人におすすめ|この記事もおすすめ|よく読まれている記事|類似商品|この著者の記事"
        "|この記事を書いた人|この記事の著者|著者について|タグ|カテゴリー|その他の記事"
    ),
}
"""Headings of lists that lead away from the page, and of what follows an article."""

ABOUT_AUTHOR: Final[dict[str, str]] = {
    "en": "about the author|about the authors|about author|about the writer|meet the author|author|author bio|about me|written by",
    "de": "über den autor|über die autorin|über die autoren|zum autor|zur autorin|der autor|die autorin|autor|autorin",
    "fr": "à propos de l auteur|à propos de l autrice|l auteur|auteur|autrice",
    "es": "sobre el autor|sobre la autora|acerca del autor|acerca de la autora|autor|autora",
    "pt": "sobre o autor|sobre a autora|autor|autora",
    "it": "informazioni sull autore|sull autore|l autore|autore|autrice",
    "ru": "об авторе|автор",
    "zh": "关于作者|作者简介|作者介绍|關於作者|作者簡介|作者介紹",
    "ja": "この記事を書いた人|この記事の著者|著者について|著者|著者プロフィール|筆者プロフィール",
}
"""Headings of what an article says of its author."""

READ_TIME: Final = (
    r"\d+\s*[-–]?\s*(?:min(?:ute)?s?\.?|minuten?|minutos?|minuti|минут[аы]?|мин\.?)\s*(?:of\s+)?"
    r"(?:read|reading(?:\s+time)?|lesezeit|lesen|de\s+lecture|lecture|de\s+lectura|lectura|de\s+leitura|leitura|di\s+lettura|lettura"
    r"|чтения|читать|на\s+чтение)"
    r"|(?:read(?:ing)?\s*time|time\s+to\s+read|estimated\s+reading\s+time|est\.?\s+read(?:ing)?\s+time|lesezeit(?:\s+ca\.?)?|lesedauer"
    r"|temps\s+de\s+lecture|tiempo\s+de\s+lectura|tempo\s+de\s+leitura|tempo\s+di\s+lettura|время\s+(?:на\s+)?чтени[яе])"
    r"\s*[:：]?\s*(?:~|ca\.?|≈)?\s*\d+\s*(?:min(?:ute)?s?\.?|minuten?|minutos?|minuti|минут[аы]?|мин\.?)?"
    r"|(?:阅读(?:时间)?|预计阅读|閱讀時間)\s*[:：约約]*\s*\d+\s*分[钟鐘]?|\d+\s*分[钟鐘]?\s*(?:阅读|閱讀)"
    r"|この記事は約?\s*\d+\s*分で読めます|読了(?:時間|目安)?\s*[:：約]*\s*\d+\s*分|\d+\s*分で読める"
)
"""Statements of how long reading takes."""

DATE_WORDS: Final = frozenset(
    """published posted updated last on at in the of by and modified first edited reviewed created date time
    written am pm ago hours hour hrs days day minutes minute mins min weeks week months month years year est edt
    pst pdt et pt gmt utc ist bst cet cest monday tuesday wednesday thursday friday saturday sunday mon tue tues
    wed thu thur thurs fri sat sun veröffentlicht aktualisiert um uhr zuletzt geändert stand von vor stunden
    tagen montag dienstag mittwoch donnerstag freitag samstag sonntag erstellt lesedauer datum publié mis à jour
    le la par il y a heures jours lundi mardi mercredi jeudi vendredi samedi dimanche modifié posté dernière
    publicado actualizado el por hace horas días lunes martes miércoles jueves viernes sábado domingo última
    actualización de del las atualizado em às há dias segunda terça quarta quinta sexta feira atualização
    pubblicato aggiornato di da alle ore fa giorni lunedì martedì mercoledì giovedì venerdì sabato domenica
    ultimo aggiornamento опубликовано обновлено дата автор в назад часов часа дней дня понедельник вторник среда
    четверг пятница суббота воскресенье мск 发布 发布时间 更新 更新时间 时间 来源 作者 发表于 编辑 日期 發布
    時間 來源 編輯 更新日 公開日 投稿日 最終更新日 掲載日 配信 公開 投稿 文 撰文 著者 執筆 執筆者 筆者 記者 文責 autor auteur autore""".split()
)
"""Words that stand beside dates and names in bylines."""

COOKIES: Final = (
    r"\b(?:we|this\s+(?:web)?site|our\s+(?:web)?site)\s+(?:\w+\s+){0,3}uses?\s+cookies\b|\baccept\s+(?:all\s+)?cookies\b|\bcookie\s+(?:policy|settings|preferences)\b"
    r"|\b(?:wir\s+(?:verwenden|nutzen|setzen)|diese\s+(?:web)?site\s+(?:verwendet|nutzt))\s+(?:\w+\s+){0,3}cookies\b"
    r"|\b(?:nous\s+utilisons|ce\s+site\s+utilise)\s+(?:\w+\s+){0,3}cookies\b"
    r"|\b(?:utilizamos|usamos|este\s+sitio(?:\s+web)?\s+(?:utiliza|usa)|este\s+site\s+(?:utiliza|usa))\s+(?:\w+\s+){0,3}cookies\b"
    r"|\b(?:utilizziamo|usiamo|questo\s+sito\s+(?:utilizza|usa))\s+(?:\w+\s+){0,3}cookies?\b"
    r"|(?:мы\s+используем|сайт\s+использует|используются)\s+(?:\w+\s+){0,3}(?:cookies?|куки|файлы)"
    r"|(?:使用|utilise)\s*(?:cookies?|クッキー)|cookies?\s*(?:を使用|を利用)|クッキーを(?:使用|利用)"
)
"""Statements of cookie notices."""

CREDITS: Final = (
    r"(?:(?:(?:photo|image|picture|video|illustration|graphic)s?\s+)?(?:credits?|source)|photos?|courtesy(?:\s+of)?|photograph(?:y|er)?"
    r"|(?:(?:bild|foto)\s*)?quelle|bildnachweis|bildrechte|fotos?|bild|grafik|photographie"
    r"|(?:crédits?|sources?)(?:\s+photos?)?|cr[ée]ditos?(?:\s+da\s+(?:foto|imagem))?|fuente|fotografía|fonte|crediti|fotografia"
    r"|фото|источник|图片来源|图源|图片|摄影|来源|圖片來源|攝影|写真|画像|提供|出典|撮影)\s*[:：/|]\s*"
    r"|(?:photos?|images?|pictures?|photographs?|illustrations?)\s+(?:by|courtesy|via|from)\s+(?:of\s+)?"
    r"|(?:fotos?|bild|foto)\s+(?:von|de|di|por)\s+|courtesy\s+(?:of\s+)?|©\s*|\(c\)\s*"
)
"""How a line begins that states no more than whom a picture is from."""
